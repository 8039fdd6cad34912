interface PendingItem<I, O> {
  input: I
  resolve: (output: O) => void
  reject: (error: unknown) => void
}

const MAX_BATCH = 200

/**
 * Writes inputs with the same key as one batch, with at most `atOnce` batches in flight to bound the connections in
 * use. A failed batch is retried one input at a time, so that one bad input does not fail the others.
 */
export function createBatches<I, O>({ atOnce }: { atOnce: number }, write: (inputs: readonly I[]) => Promise<O[]>) {
  const queues = new Map<unknown, PendingItem<I, O>[]>()
  let running = 0

  async function run(): Promise<void> {
    running++
    for (let next = queues.entries().next(); !next.done; next = queues.entries().next()) {
      const [key, queue] = next.value
      queues.delete(key)
      // Requeues the rest of a long queue behind the other keys.
      if (queue.length > MAX_BATCH) queues.set(key, queue.splice(MAX_BATCH))
      await writeBatch(queue)
    }
    running--
  }

  async function writeBatch(batch: readonly PendingItem<I, O>[]): Promise<void> {
    try {
      const outputs = await write(batch.map(({ input }) => input))
      if (outputs.length !== batch.length) throw new Error(`Expected ${batch.length} outputs, got ${outputs.length}`)
      for (const [at, output] of outputs.entries()) batch[at]?.resolve(output)
    } catch (error) {
      if (batch.length === 1) for (const { reject } of batch) reject(error)
      else for (const item of batch) await writeBatch([item])
    }
  }

  /** Inputs with equal keys share a batch; `undefined` never shares one. */
  return (key: string | undefined, input: I): Promise<O> =>
    new Promise((resolve, reject) => {
      const own = key ?? Symbol('alone')
      const queue = queues.get(own)
      if (queue) queue.push({ input, resolve, reject })
      else queues.set(own, [{ input, resolve, reject }])
      if (running < atOnce) void run()
    })
}
