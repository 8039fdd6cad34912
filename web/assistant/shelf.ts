import { type Copy, KEYS, readCopies, removeCopies, withCopy, without, writeCopies } from './backup.ts'
import { hasDanger } from './messages.ts'

/** Where the copies of one person are kept in this browser. */
export interface Shelf {
  read(): Copy[]
  save(copy: Copy): void
  drop(id: string): void
  clear(): void
  /** The conversation to go on with when the page is loaded again. */
  currentId: { get(): string | null; set(id: string | null): void }
}

const session = () => sessionStorage
const device = () => localStorage
const CURRENT_KEY = 'assistant:opened'

/**
 * A visitor's conversations go with the tab, save one that was to be kept on the device. Those of a signed-in person
 * are a backup under her own id, which nobody else who signs in is given.
 */
export function createShelf(userId: string | null): Shelf {
  const main = { storage: userId ? device : session, key: userId ? KEYS.backup(userId) : KEYS.visitor }
  const places = userId ? [main] : [main, { storage: device, key: KEYS.kept }]
  const placeOf = (copy: Copy) => (!userId && copy.isKeptHere && hasDanger(copy.messages) ? places[1]! : main)

  return {
    read() {
      const all = places.flatMap(({ storage, key }) => readCopies(storage, key))
      return all.reduce<Copy[]>(withCopy, [])
    },
    save(copy) {
      const place = placeOf(copy)
      for (const other of places) if (other !== place) dropFrom(other, copy.id)
      writeCopies(place.storage, place.key, withCopy(readCopies(place.storage, place.key), copy))
    },
    drop(id) {
      for (const place of places) dropFrom(place, id)
    },
    clear() {
      for (const { storage, key } of places) removeCopies(storage, key)
      removeCopies(session, CURRENT_KEY)
    },
    currentId: {
      get: () => (userId ? null : readCurrentId()),
      set: (id) => void (id === null ? removeCopies(session, CURRENT_KEY) : writeCurrentId(id)),
    },
  }
}

function dropFrom({ storage, key }: { storage: () => Storage; key: string }, id: string) {
  const copies = readCopies(storage, key)
  if (copies.some((copy) => copy.id === id)) writeCopies(storage, key, without(copies, id))
}

function readCurrentId(): string | null {
  try {
    return sessionStorage.getItem(CURRENT_KEY)
  } catch {
    return null
  }
}

function writeCurrentId(id: string) {
  try {
    sessionStorage.setItem(CURRENT_KEY, id)
  } catch {
    // The next page begins anew.
  }
}
