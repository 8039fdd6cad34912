/**
 * Batches concurrent calls: callers of the returned function get their own result, in the order of `items`. While
 * `maxRunning` batches run, the next one fills. A failed batch is retried item by item, so that no caller gets
 * another's error.
 */
export function inBatches<I, O>(
  run: (items: I[]) => Promise<O[]>,
  { maxItems = 200, maxRunning = 1 } = {},
): (item: I) => Promise<O> {
  type PendingItem = { item: I; resolve: (result: O) => void; reject: (error: unknown) => void }
  let waiting: PendingItem[] = []
  let running = 0
  let isScheduled = false

  async function runBatch(batch: PendingItem[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error(`Expected ${batch.length} results, got ${results.length}`)
      for (const [at, result] of results.entries()) batch[at]?.resolve(result)
    } catch (error) {
      if (batch.length === 1) for (const { reject } of batch) reject(error)
      else for (const one of batch) await runBatch([one])
    }
  }

  function start(): void {
    isScheduled = false
    if (running >= maxRunning || waiting.length === 0) return
    const batch = waiting.slice(0, maxItems)
    waiting = waiting.slice(maxItems)
    running++
    void runBatch(batch).finally(() => {
      running--
      start()
    })
    start()
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isScheduled) return
      isScheduled = true
      setImmediate(start)
    })
}
