import { type Copy, KEYS, readCopies, removeCopies, withCopy, without, writeCopies } from './backup.ts'
import { hasDanger } from './messages.ts'

/** Storage of one user's copies in this browser. */
export interface LocalStore {
  read(): Copy[]
  save(copy: Copy): void
  drop(id: string): void
  clear(): void
  /** The conversation to restore on reload. */
  currentId: { get(): string | null; set(id: string | null): void }
}

const session = () => sessionStorage
const device = () => localStorage
const CURRENT_KEY = 'assistant:opened'

/**
 * An anonymous visitor's conversations go with the tab, except one they chose to save on the device. Those of a
 * signed-in user are a backup under their own id, inaccessible to any other user.
 */
export function createShelf(userId: string | null): LocalStore {
  const main = { storage: userId ? device : session, key: userId ? KEYS.backup(userId) : KEYS.visitor }
  const saved = { storage: device, key: KEYS.saved }
  const places = userId ? [main] : [main, saved]
  const placeOf = (copy: Copy) => (!userId && copy.isSavedLocally && hasDanger(copy.messages) ? saved : main)

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
    // The next page starts a new conversation.
  }
}
