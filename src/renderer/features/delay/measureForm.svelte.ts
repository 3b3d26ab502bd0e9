/** What was entered in the form of a delay test; kept while another view of its dialog is shown. */
export class MeasureForm {
  /** Id of the chosen server; undefined: that of the last test, else the first. */
  server = $state<string>();
  name = $state('');
  seconds = $state('20');
  repeats = $state('3');
  viewers = $state('100');
  /** Ids of the paths that are not chosen. */
  #unchosen = $state.raw<readonly string[]>([]);

  isChosen(path: string): boolean {
    return !this.#unchosen.includes(path);
  }

  toggle(path: string): void {
    const others = this.#unchosen.filter((each) => each !== path);
    this.#unchosen = this.isChosen(path) ? [...others, path] : others;
  }
}
