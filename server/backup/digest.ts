import { createHash } from 'node:crypto'

/** Counts and sums lines as `digestQuery` does in SQL. */
export class Digest {
  rows = 0
  #sum = 0n

  add(line: string): void {
    this.rows += 1
    this.#sum += BigInt(createHash('sha256').update(line).digest().readUIntBE(0, 6))
  }

  get digest(): string {
    return this.#sum.toString()
  }
}
