// The entrance: a built page shows its figures at once, a live kernel's anywidget calls `render`.

import { KernelSource } from "./sources.js";
import { mount } from "./figure.js";
import { mountPage } from "./page.js";

if (globalThis.document) mountPage();

/** What a live kernel's anywidget calls. */
export default {
  render({ model, el }) {
    el.innerHTML = model.get("markup");
    const element = el.querySelector("figure"), spec = model.get("spec");
    element.dataset.lmSuppressShortcuts = "true"; // keys that move a control are not JupyterLab's commands
    const view = mount(element, spec, new KernelSource(spec, model));
    return () => view.end();
  },
};
