/** Longest wait for an idle moment, in ms. */
const TIMEOUT_MS = 2000;

/** Takes steps, one each time the browser has nothing else to do; returns what ends it. */
export function whenIdle(steps: Iterator<unknown, unknown, undefined>): () => void {
  let isEnded = false;
  const step = (): void => {
    if (!isEnded && steps.next().done !== true) later(step);
  };
  later(step);
  return () => {
    isEnded = true;
  };
}

/** Safari has no idle moments. */
function later(then: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(then, { timeout: TIMEOUT_MS });
  else setTimeout(then, 1);
}
