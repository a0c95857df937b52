// What a question asks for: its words without those that say nothing, other names of what they mean, and the
// book's own spelling of a word that the book does not have.

const KEY = 4; // the words of the longest name that has synonyms
const PART = 4; // letters of the shorter of two words that were typed as one

/** The words of a text in small letters; hyphens part words, other marks around a word go. */
export const wordsOf = text => text.toLowerCase().replaceAll("’", "'").split(/[\s\p{Pd}/]+/u)
  .map(word => word.replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "").replace(/'s$/, "")).filter(Boolean);

/** Words as one of them: a name is known in its plural, too. */
const singular = words => words.map(word => word.replace(/(?<=[^s]{3})s$/, "")).join(" ");

/** Whether one letter more, less, changed, or changed for its neighbour makes `other` of `word`. */
export function isOneSlip(word, other) {
  if (Math.abs(word.length - other.length) > 1) return false;
  let same = 0, end = 0;
  while (same < word.length && word[same] === other[same]) same++;
  const rest = Math.min(word.length, other.length) - same;
  while (end < rest && word.at(-1 - end) === other.at(-1 - end)) end++;
  const [mine, its] = [word, other].map(letters => letters.slice(same, letters.length - end));
  return mine.length < 2 && its.length < 2
    || mine.length === 2 && its.length === 2 && mine[0] === its[1] && mine[1] === its[0];
}

/** What is known of words: `silent` ones, `synonyms` of names, and the `vocabulary`, its commonest words first. */
export class Lexicon {
  constructor({ silent, synonyms, vocabulary }) {
    this.silent = new Set(silent);
    this.vocabulary = vocabulary;
    this.synonyms = new Map(Object.entries(synonyms).map(([name, meant]) => [singular(wordsOf(name)), meant]));
  }

  /** The word, or the one of the book that it slipped from, or two of its words typed as one, or what it has in common with one; null if nothing. */
  spelled(word) {
    const begins = start => this.vocabulary.some(known => known.startsWith(start));
    if (begins(word)) return word;
    if (word.length < 5) return null;
    const meant = this.vocabulary.find(known => known.length > 3 && isOneSlip(word, known));
    if (meant) return meant;
    const parts = this.twoWords(word);
    if (parts) return parts;
    for (let end = word.length - 1; end >= Math.max(5, word.length - 4); end--)
      if (begins(word.slice(0, end))) return word.slice(0, end);
    return null;
  }

  /** Two words of the book that were typed as one, with a blank between them. */
  twoWords(word) {
    for (let end = PART; end <= word.length - PART; end++) {
      const parts = [word.slice(0, end), word.slice(end)];
      if (parts.every(part => this.vocabulary.includes(part))) return parts.join(" ");
    }
  }

  /** What a question asks for, one after the other: `typed`, and the `phrases` that say it, the likeliest first. */
  ideas(question) {
    const words = wordsOf(question), found = [];
    for (let at = 0; at < words.length;) {
      const named = this.nameAt(words, at);
      const typed = words.slice(at, at + (named?.length ?? 1)).join(" ");
      at += named?.length ?? 1;
      const own = this.ownPhrase(typed), meant = [...named?.meant ?? [], ...this.britishOf(typed)];
      const isNew = !found.some(idea => singular([idea.typed]) === singular([typed]));
      if (isNew && (named || !this.silent.has(typed))) found.push({ typed, phrases: [...new Set(own ? [own, ...meant] : meant)] });
    }
    if (found.length || !words.length) return found;
    return words.map(typed => ({ typed, phrases: this.spelled(typed) ? [this.spelled(typed)] : [] }));
  }

  /** The book's spelling of words with -ize, where it is another and the book has them: titles of works have both. */
  britishOf(typed) {
    const british = typed.replace(/(?<=\w{3})iz(?=[aei])/g, "is");
    return british !== typed && british.split(" ").every(word => this.vocabulary.includes(word)) ? [british] : [];
  }

  /** A name that begins at that word and has synonyms: how many words it has, and what it means. */
  nameAt(words, at) {
    for (let length = Math.min(KEY, words.length - at); length; length--) {
      const meant = this.synonyms.get(singular(words.slice(at, at + length)));
      if (meant) return { length, meant };
    }
  }

  /** What was typed, as the book spells it; null where one of its words is nowhere in the book. */
  ownPhrase(typed) {
    const own = typed.split(" ").map(word => this.spelled(word));
    return own.includes(null) ? null : own.join(" ");
  }
}
