// What a screen is to the rest.

import type { StartView } from "./wire.ts";

export interface Screen {
  readonly element: HTMLElement;
  /** Called whenever it is opened, with what follows its name in the address. */
  open(args: string[]): Promise<void>;
  /** Keys that no field took; says whether it did something. */
  key(event: KeyboardEvent): boolean;
  close?(): void;
  /** Its keys, for the help. */
  readonly keys: [string, string][];
}

export interface Context {
  start: StartView;
  go(address: string): void;
}

/** Colours of fields: apart from each other, and readable under white text. */
export const COLORS = ["#1864ab", "#b3400f", "#1c7c3c", "#8a2a86", "#8a5a00", "#0b7285", "#c2255c", "#5f3dc4", "#4d5a66"];

export function colorOf(nth: number): string {
  return COLORS[nth % COLORS.length] ?? "#4d5a66";
}
