import { formatCount } from '../text/numberFormat';

/** An input that exceeds a limit of what it may cost as a whole. The message is a sentence without a full stop. */
export class BudgetExceeded extends Error {
  constructor(input: string, limit: number, of: string, fix?: string) {
    super(`${input} has more than ${formatCount(limit)} ${of}${fix === undefined ? '' : `; ${fix}`}`);
  }
}

/** How much of one kind an input may have in all of its parts together. */
export class Budget {
  private left: number;

  /** `input` and `of` name it in sentences, as in "the response" and "metrics". */
  constructor(
    private readonly input: string,
    private readonly limit: number,
    private readonly of: string,
    private readonly fix?: string,
  ) {
    this.left = limit;
  }

  /** Throws a `BudgetExceeded` when nothing is left. */
  take(count = 1): void {
    this.left -= count;
    if (this.left < 0) throw new BudgetExceeded(this.input, this.limit, this.of, this.fix);
  }
}
