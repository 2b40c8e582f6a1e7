// The words of one game in one language, as the contract explains them.

import type { GetGameResponse, Text } from "@pitboss/client/web";

import { change, chips, type Language, say } from "../words/language.js";
import { cardName, isCard } from "./cards.js";
import { text, type TextKey } from "./texts.js";

export class Words {
  readonly language: Language;
  private readonly texts: ReadonlyMap<string, Text | undefined>;

  constructor(described: GetGameResponse, language: Language) {
    this.language = language;
    this.texts = new Map(described.vocabulary.map((one) => [one.word, one.text]));
  }

  /** Return the text of a word of the game; a card's name, or the word itself where the game does not explain it. */
  word(word: string): string {
    const found = say(this.texts.get(word), this.language);
    if (found !== "") return found;
    return isCard(word) ? cardName(word, this.language) : word;
  }

  /** Return whether the game explains a word. */
  has(word: string): boolean {
    return this.texts.has(word);
  }

  /** Return a text of the house. */
  say(one: Text | undefined): string {
    return say(one, this.language);
  }

  /** Return a text of the table itself. */
  own(key: TextKey): string {
    return text(key, this.language);
  }

  chips(amount: bigint | number): string {
    return chips(amount, this.language);
  }

  change(amount: bigint | number): string {
    return change(amount, this.language);
  }

  card(card: string): string {
    return cardName(card, this.language);
  }
}
