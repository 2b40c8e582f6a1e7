// Cards and tiles, drawn: a large index in the corner that stays seen where cards overlap, and one large suit.

import { useRef } from "preact/hooks";

import { face, index, type Face } from "./cards.js";
import type { Words } from "./words.js";

/** Suits in a box of 100 by 100. */
const SHAPES: Readonly<Record<string, string>> = {
  s: "M50 4C62 26 94 44 94 66c0 22-28 26-38 10 1 10 4 16 10 20H34c6-4 9-10 10-20-10 16-38 12-38-10C6 44 38 26 50 4z",
  h: "M50 94C30 74 6 56 6 32 6 8 38 2 50 26 62 2 94 8 94 32c0 24-24 42-44 62z",
  d: "M50 3 88 50 50 97 12 50z",
  c: "M50 5c16 0 26 14 20 30-2 4-4 7-6 9 16-8 32 4 32 20 0 24-30 28-40 10 1 10 4 18 10 22H34c6-4 9-12 10-22C34 92 4 88 4 64c0-16 16-28 32-20-2-2-4-5-6-9-6-16 4-30 20-30z",
};
const DOTS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[50, 70]],
  [[50, 42], [50, 98]],
  [[28, 36], [50, 70], [72, 104]],
  [[32, 42], [68, 42], [32, 98], [68, 98]],
  [[30, 38], [70, 38], [50, 70], [30, 102], [70, 102]],
  [[32, 34], [68, 34], [32, 70], [68, 70], [32, 106], [68, 106]],
  [[26, 26], [50, 38], [74, 50], [32, 82], [68, 82], [32, 112], [68, 112]],
  [[32, 26], [68, 26], [32, 55], [68, 55], [32, 85], [68, 85], [32, 114], [68, 114]],
  [[26, 30], [50, 30], [74, 30], [26, 70], [50, 70], [74, 70], [26, 110], [50, 110], [74, 110]],
];

function Suit({ suit, x, y, size }: { suit: string; x: number; y: number; size: number }) {
  return <path d={SHAPES[suit]} transform={`translate(${x} ${y}) scale(${size / 100})`} />;
}

function Picture({ seen }: { seen: Face }) {
  switch (seen.kind) {
    case "back":
      return <g><rect class="back" x="7" y="7" width="86" height="126" rx="7" /><path class="lattice" d="M7 70 50 7l43 63-43 63zM28 38l44 64M72 38 28 102" /></g>;
    case "joker":
      return (
        <g class={seen.big ? "suit-h" : "suit-s"}>
          <text x="8" y="34" class="joker">JO</text><text x="8" y="62" class="joker">KER</text>
          <path d="M62 74l8 18 20 2-15 13 5 20-18-11-18 11 5-20-15-13 20-2z" />
        </g>
      );
    case "tile":
      return seen.pips === 0
        ? <rect class="blank" x="20" y="26" width="60" height="88" rx="6" />
        : <g class="dots">{(DOTS[seen.pips] ?? []).map(([x, y]) => <circle key={`${x}-${y}`} cx={x} cy={y} r="11.5" />)}</g>;
    case "card":
      return (
        <g class={`suit-${seen.suit}`}>
          <text x={seen.rank === "T" ? 4 : 8} y="44" textLength={seen.rank === "T" ? 38 : undefined} lengthAdjust="spacingAndGlyphs">{index(seen.rank)}</text>
          <Suit suit={seen.suit} x={9} y={52} size={28} />
          <Suit suit={seen.suit} x={42} y={78} size={52} />
        </g>
      );
  }
}

interface CardProps {
  readonly card: string;
  readonly words: Words;
  /** The cards that count: raised; the others step back. */
  readonly best?: boolean | undefined;
  /** The card lay face down before: it is turned over. */
  readonly turned?: boolean;
}

export function Picture140({ card }: { card: string }) {
  const seen = face(card);
  return (
    <svg viewBox="0 0 100 140" aria-hidden="true" focusable="false">
      <rect class={seen.kind === "tile" ? "paper tile" : "paper"} x="1" y="1" width="98" height="138" rx="9" />
      <Picture seen={seen} />
    </svg>
  );
}

/** A card that is looked at. */
export function Card({ card, words, best, turned = false }: CardProps) {
  return (
    <span class="card" role="img" aria-label={words.card(card)} data-turned={turned || undefined} data-best={best === undefined ? undefined : String(best)}>
      <Picture140 card={card} />
    </span>
  );
}

interface ChoiceProps extends CardProps {
  readonly chosen: boolean;
  readonly open: boolean;
  readonly onPress: (card: string) => void;
}

/** A card that can be chosen. */
export function ChoiceCard({ card, words, chosen, open, onPress }: ChoiceProps) {
  return (
    <button type="button" class="card choice" aria-pressed={chosen} aria-disabled={!open && !chosen}
      data-card={card} onClick={() => { onPress(card); }}>
      <span class="heard">{words.card(card)}</span>
      <Picture140 card={card} />
    </button>
  );
}

/** More cards than these that nobody sees are one back with their number. */
const MOST_BACKS = 5;

interface HandProps {
  readonly cards: readonly string[];
  readonly words: Words;
  readonly best?: ReadonlySet<string> | undefined;
  readonly label?: string;
  /** Hidden cards are always one back with their number. */
  readonly piled?: boolean;
}

/** Cards side by side; many that nobody sees are one back with their number. */
export function Hand({ cards, words, best, label, piled = false }: HandProps) {
  const hidden = cards.filter((card) => face(card).kind === "back").length;
  const pile = hidden > (piled ? 0 : MOST_BACKS);
  const seen = pile ? cards.filter((card) => face(card).kind !== "back") : cards;
  const counts = best !== undefined && best.size > 0;
  const turned = useTurned(seen);
  return (
    <>
      {seen.length > 0 && (
        <span class={seen.length > MANY ? "cards many" : "cards"} data-count={seen.length}>
          {seen.map((card, at) => <Card key={`${at}-${card}`} card={card} words={words} best={counts ? best.has(card) : undefined} turned={turned.has(at)} />)}
        </span>
      )}
      {pile && (
        <span class="cards pile" role="img" aria-label={`${label ?? words.card("??")}: ${words.chips(hidden)}`}>
          <span class="card"><Picture140 card="??" /></span>
          <span class="number" aria-hidden="true">{words.chips(hidden)}</span>
        </span>
      )}
    </>
  );
}

/** Return the places of the cards that were seen from behind before they were what they are now. */
function useTurned(cards: readonly string[]): ReadonlySet<number> {
  const shown = useRef<{ cards: readonly string[]; turned: ReadonlySet<number> }>({ cards, turned: new Set() });
  const before = shown.current.cards;
  if (before.length !== cards.length || before.some((card, at) => card !== cards[at])) {
    const now = cards.flatMap((card, at) => (before[at] === BACK && card !== BACK ? [at] : []));
    shown.current = { cards, turned: new Set(now) };
  }
  return shown.current.turned;
}

const BACK = "??";

export const MANY = 8;
