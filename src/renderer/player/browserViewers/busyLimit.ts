/** Above this share of all cores, their machine delays the frames of browser viewers; below the lower one it does not. */
const busyPercent = 90;
const calmPercent = 75;
/** A busy machine is judged by the last seconds: a ramp-up lasts that long. */
const judgedReadings = 5;

/** How many browser viewers a machine may have: one fewer for each time that it was busy, one more when it is calm. */
export class BusyLimit {
  #readings: number[] = [];
  #fewer = 0;

  /** Takes the CPU of the machine in percent of all cores, once a second. Returns how many of `planned` are allowed. */
  take(machineBusyPercent: number, planned: number): number {
    this.#readings.push(machineBusyPercent);
    if (this.#readings.length < judgedReadings) return planned - this.#fewer;
    const mean = this.meanPercent;
    if (mean > busyPercent) this.#fewer = Math.min(planned, this.#fewer + 1);
    else if (mean < calmPercent) this.#fewer = Math.max(0, this.#fewer - 1);
    this.#readings = [];
    this.#lastPercent = mean;
    return planned - this.#fewer;
  }

  #lastPercent = 0;

  /** CPU by the last readings. */
  get meanPercent(): number {
    const { length } = this.#readings;
    return length > 0 ? this.#readings.reduce((sum, value) => sum + value, 0) / length : this.#lastPercent;
  }
}
