/**
 * Sounds, made in the browser and off by default: a stone, a capture, a pass, low time.
 */

/** @type {AudioContext | null} */
let context = null;

/** Opens the sound device. Browsers allow it only after a click or key. */
export function wake() {
  context ??= new AudioContext();
  void context.resume();
}

/**
 * Plays a tone that fades.
 * @param {number} frequency
 * @param {number} seconds
 * @param {number} volume
 * @param {number} [delay]
 * @param {OscillatorType} [type]
 */
function tone(frequency, seconds, volume, delay = 0, type = "sine") {
  if (!context) return;
  const start = context.currentTime + delay;
  const gain = context.createGain();
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  const source = context.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(frequency, start);
  source.frequency.exponentialRampToValueAtTime(frequency * 0.6, start + seconds);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + seconds);
}

/** @param {"stone" | "capture" | "pass" | "low"} what */
export function play(what) {
  if (what === "stone") {
    tone(1100, 0.07, 0.25, 0, "triangle");
    tone(240, 0.09, 0.3);
  } else if (what === "capture") {
    for (const delay of [0, 0.06, 0.13]) tone(900, 0.06, 0.2, delay, "triangle");
  } else if (what === "pass") {
    tone(420, 0.18, 0.18);
  } else {
    tone(880, 0.12, 0.15);
  }
}
