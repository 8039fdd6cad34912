import { existsSync, readFileSync } from 'node:fs'

const FIXTURES = new URL('../../../fixtures/places/', import.meta.url)
const SHARED = process.env.SHARED_DATA
  ? new URL(`file://${process.env.SHARED_DATA}/places/`)
  : new URL('../../../../shared/data/places/', import.meta.url)

/** A file of fixtures/places. */
export const fixture = (name: string): Uint8Array => readFileSync(new URL(name, FIXTURES))
/** A file of the larger collection that may exist beside the repository; check hasSharedPlaces first. */
export const sharedPlaces = (name: string): Uint8Array => readFileSync(new URL(name, SHARED))
export const hasSharedPlaces = existsSync(new URL('README.md', SHARED))
