// Python of this page: a worker that starts when it is first needed, answers one request after another, and is
// ended if it takes too long.

import { address, index } from "./files.js";

const LIMIT = 10_000; // milliseconds that an answer may take
const SILENCE = 90_000; // while Python is fetched and started: without a sign of life it is given up
const WAKING = 15_000; // for a kept state to wake; then it is thrown away

class Python {
  waiting = new Map();
  count = 0;
  last = Promise.resolve();
  isReady = false;

  /** A promise that is kept when Python can answer; `report` hears how far it is. */
  start(report) {
    if (report) this.report = report;
    return (this.starting ??= this.boot());
  }

  async boot() {
    try {
      const files = await index();
      await new Promise((resolve, reject) => {
        this.settleStart = { resolve, reject };
        this.launch({ files, base: address(""), forget: false });
      });
    } catch (reason) {
      this.starting = undefined;
      throw reason;
    }
  }

  /** A new worker; what it says while it starts decides what happens next. */
  launch(request) {
    this.worker?.terminate();
    this.isReady = false;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onerror = event => this.stop(`Python did not start (${event.message ?? "a file is missing"}).`);
    this.worker.onmessage = ({ data }) => this.heard(data, request);
    this.worker.postMessage({ boot: request });
    this.watch(SILENCE, () => this.stop("Python did not come. Is the connection gone? Press again to try again."));
  }

  watch(time, late) {
    clearTimeout(this.alarm);
    this.alarm = setTimeout(late, time);
  }

  heard(data, request) {
    const again = () => this.launch({ ...request, forget: true });
    if (data.progress) {
      this.report?.progress(data.progress, data.share);
      this.watch(SILENCE, () => this.stop("Python did not come. Is the connection gone? Press again to try again."));
    } else if (data.waking) this.watch(WAKING, again);
    else if (data.damaged) again();
    else if (data.ready) this.started(data);
    else if (data.output !== undefined) this.report?.output(data.output);
    else this.settle(data);
  }

  started({ woken }) {
    clearTimeout(this.alarm);
    this.isReady = true;
    this.woken = woken;
    this.settleStart.resolve();
  }

  /** The answer to a request, after those that were asked before; `report` hears progress and output. */
  ask(kind, asked, report, limit = LIMIT) {
    const answer = this.last.then(() => this.askNow(kind, asked, report, limit));
    this.last = answer.catch(() => {});
    return answer;
  }

  async askNow(kind, asked, report, limit) {
    await this.start(report);
    this.report = report;
    report?.ready();
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      const late = () => this.stop(`Stopped after ${limit / 1000} seconds. Is there a loop that never ends?`);
      this.waiting.set(id, { resolve, reject, timer: setTimeout(late, limit) });
      this.worker.postMessage({ id, kind, asked: JSON.stringify(asked) });
    });
  }

  settle({ id, answer, failed }) {
    const asked = this.waiting.get(id);
    if (!asked) return failed && this.stop(failed);
    this.waiting.delete(id);
    clearTimeout(asked.timer);
    if (!failed) return asked.resolve(JSON.parse(answer));
    asked.reject(Error(failed));
    this.stop(failed); // what broke Python itself leaves it in no state to go on
  }

  /** Ends Python, says why to who waits for it, and starts another at once if it was running before. */
  stop(reason) {
    const wasReady = this.isReady;
    clearTimeout(this.alarm);
    this.worker?.terminate();
    this.worker = this.starting = undefined;
    this.isReady = false;
    this.settleStart?.reject(Error(reason));
    for (const { reject, timer } of this.waiting.values()) clearTimeout(timer), reject(Error(reason));
    this.waiting.clear();
    this.report = undefined;
    if (wasReady) this.start().catch(() => {}); // said at the next request
  }
}

export const python = new Python();
