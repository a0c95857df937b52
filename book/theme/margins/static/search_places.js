// The places that answer a question, the best first. Each thing that is asked for is looked up by itself in
// Pagefind's index (book/extensions/search/index.py); a place counts for how many of them it says, and how well.
const site = new URL("../", import.meta.url), version = new URL(import.meta.url).search;
const { Lexicon, wordsOf } = await import(new URL("search_words.js" + version, import.meta.url));

// how much it counts that a place is called so, for each word of a name of one word, two, three, or more (index.py)
const NAMED = { term: 9, name: 6, api: 1 }, SHARES = [1, 0.8, 0.6, 0.5];
const BY_NAME = { title: 0 };
for (const [kind, weight] of Object.entries(NAMED)) SHARES.forEach((share, at) => BY_NAME[`${kind}-${at + 1}`] = weight * share);
const BEGUN = 0.05, SHORT_NAME = 0.6; // what a word counts that only begins so, and one that the book calls otherwise
const SIDE_BY_SIDE = 1.5; // how much more a place counts where two words stand beside each other as they were asked
const MANY = 1000; // about as many places as the book has
const NEAR_BEST = 0.3; // a place that says only part of what is asked has to score so much of the best

let loaded;
function engine() {
  loaded ??= Promise.all([
    import(new URL("search/pagefind.js", import.meta.url)),
    fetch(new URL("search/words.json", import.meta.url), { cache: "no-cache" }).then(words => words.json()),
  ]).then(async ([pagefind, words]) => {
    await pagefind.options({ baseUrl: site.pathname, ranking: { metaWeights: BY_NAME } });
    await pagefind.init();
    return { pagefind, lexicon: new Lexicon(words), known: new Map() };
  });
  return loaded;
}

/** Places that say a phrase, or for one word a longer word that begins so: how well, and at which of its words. */
async function saying(phrase, { pagefind, known }) {
  if (!known.has(phrase)) known.set(phrase, (async () => {
    const whole = new Map((await pagefind.search(`"${phrase}"`)).results.map(result => [result.id, result]));
    const places = new Map();
    for (const result of (await pagefind.search(phrase)).results) {
      const exact = whole.get(result.id);
      if (exact || !phrase.includes(" "))
        places.set(result.id, { open: () => result.data(), score: result.score * (exact ? 1 : BEGUN), at: (exact ?? result).words });
    }
    return places;
  })());
  return known.get(phrase);
}

/** Places that say an idea by one of its phrases, and the words that say it there. */
async function meaning(idea, engine) {
  const places = new Map();
  for (const [rank, phrase] of idea.phrases.entries())
    for (const [id, { open, score, at }] of await saying(phrase, engine)) {
      const place = places.get(id) ?? { open, score: 0, at: [], words: [] };
      place.score = Math.max(place.score, score * (!rank && idea.phrases.length > 1 ? SHORT_NAME : 1));
      place.at.push(...at);
      place.words.push(phrase);
      places.set(id, place);
    }
  return places;
}

/** All places that say something of what is asked; the `score` adds up what they say, times its share of what is asked. */
function together(meanings, beside) {
  const rarity = meanings.map(places => places.size ? Math.log(1 + MANY / places.size) : Math.log(MANY));
  const asked = rarity.reduce((sum, weight) => sum + weight, 0), places = new Map();
  for (const [which, found] of meanings.entries())
    for (const [id, { open, score, at, words }] of found) {
      const place = places.get(id) ?? { open, score: 0, share: 0, ideas: 0, at: [], words: [] };
      place.score += score;
      place.share += rarity[which] / asked;
      place.ideas += 1;
      place.at.push(...at);
      place.words.push(...words);
      places.set(id, place);
    }
  const fitting = id => SIDE_BY_SIDE ** beside.filter(said => said.has(id)).length;
  return [...places].map(([id, place]) => ({ ...place, score: place.score * place.share * fitting(id) }));
}

/** The places that say two things that are asked one behind the other so, a set for each such pair. */
function pairs(ideas, { pagefind }) {
  return Promise.all(ideas.slice(1).map(async (idea, at) => {
    const [first, second] = [ideas[at], idea].map(({ phrases }) => phrases[0]);
    const said = first && second ? (await pagefind.search(`"${first} ${second}"`)).results : [];
    return new Set(said.map(result => result.id));
  }));
}

/** The places that answer, the best first; how many say `all` that is asked; what was read of it, and how places that are it are called. */
export async function find(question) {
  const ready = await engine(), ideas = ready.lexicon.ideas(question);
  const meanings = await Promise.all(ideas.map(idea => meaning(idea, ready)));
  const beside = await pairs(ideas, ready);
  const found = together(meanings, beside).sort((a, b) => b.score - a.score), isWhole = place => place.ideas === ideas.length;
  const places = found.filter(place => isWhole(place) || place.score > NEAR_BEST * found[0].score);
  const read = ideas.map(({ typed, phrases }) => ({ typed, phrase: phrases[0] ?? typed }));
  const names = [question, ...ideas.length === 1 ? ideas[0].phrases : []].map(name => wordsOf(name).join(" "));
  return { places, all: places.filter(isWhole).length, read, names };
}
