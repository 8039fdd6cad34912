/**
 * Runs `work` with a timeout. Its signal aborts on timeout or when the caller aborts; work that ignores the signal is
 * abandoned.
 */
export async function within<T>(
  milliseconds: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.max(0, Math.round(milliseconds)))])
  signal.throwIfAborted()
  let leave: () => void = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work(signal), left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
