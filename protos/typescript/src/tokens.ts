// The token of a caller: a string, or a function that is called again before a token expires, or when it is refused.

/** A token, or a function (also an async one) that signs in and returns a valid token. */
export type Token = string | (() => string | Promise<string>);

/** A token is renewed so long before it expires, or at four fifths of a shorter life. */
const AHEAD_MS = 30_000;

/** Keeps the token that calls carry, shared by all calls of one caller. */
export class Tokens {
  private token: string;
  private renewAt = Infinity;
  private asking: Promise<void> | undefined;

  constructor(private readonly given: Token) {
    this.token = typeof given === "string" ? given : "";
  }

  /**
   * Return the token, a new one where the last expires soon. Throws what the function throws for the first.
   *
   * A function that fails while the last token is still valid is called again by a later call.
   */
  async current(): Promise<string> {
    if (!this.token) {
      await this.renewed("");
    } else if (Date.now() >= this.renewAt) {
      try {
        await this.renewed(this.token);
      } catch {
        // Whatever sign-in throws: the token is still good.
      }
    }
    return this.token;
  }

  /**
   * Replace a token. Returns whether there is another one now. Of many calls refused at once, only one calls the
   * function. Throws what the function throws.
   */
  async renewed(refused: string): Promise<boolean> {
    if (typeof this.given === "string") return false;
    if (this.token === refused) {
      this.asking ??= this.ask(this.given).finally(() => {
        this.asking = undefined;
      });
      await this.asking;
    }
    return this.token !== refused;
  }

  private async ask(given: () => string | Promise<string>): Promise<void> {
    this.token = await given();
    this.renewAt = Date.now() + goodForMs(this.token);
  }
}

/** Return the milliseconds after which a token should be renewed; infinity where it does not say when it expires. */
function goodForMs(token: string): number {
  const { exp, iat } = claims(token);
  if (exp === undefined) return Infinity;
  const left = exp * 1000 - Date.now();
  const life = iat === undefined ? Infinity : (exp - iat) * 1000;
  const good = left > 0 ? Math.min(left, life) : life;
  return Number.isFinite(good) ? Math.max(good - AHEAD_MS, 0.8 * good) : Infinity;
}

/** Return when a signed token (JWT) was made and expires, nothing of any other text. The house verifies it. */
function claims(token: string): { exp?: number; iat?: number } {
  const [, body, signature] = token.split(".");
  if (body === undefined || signature === undefined) return {};
  try {
    const read: unknown = JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof read !== "object" || read === null) return {};
    const found: { exp?: number; iat?: number } = {};
    for (const name of ["exp", "iat"] as const) {
      const value: unknown = (read as Record<string, unknown>)[name];
      if (typeof value === "number") found[name] = value;
    }
    return found;
  } catch {
    return {};
  }
}
