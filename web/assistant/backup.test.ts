import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Copy, copyOf, found, KEYS, readCopies, withCopy, writeCopies } from './backup.ts'
import { missing } from './backup-restore.ts'
import { begun, type Conversation, conversationReducer } from './conversation.ts'
import { createShelf } from './local-store.ts'
import { answer, question } from './messages.ts'
import { metadata, panel } from './testing.ts'

const at = (n: number) => new Date(Date.UTC(2026, 8, 27) + n * 60_000).toISOString()
const pair = (n: number, more = {}) => [
  { ...question(`q${n}`, `question ${n}`, at(n)), status: 'delivered' as const },
  answer(`a${n}`, { content: `answer ${n}`, timestamp: at(n), replyTo: `q${n}` }, metadata(more)),
]
const conversation = (id: string, n = 1, more = {}): Conversation => begun(id, pair(n, more))
const copy = (id: string, n = 1): Copy => copyOf(conversation(id, n))!

/** Fake browser storage that fits `limit` characters. */
function storage(limit = Number.POSITIVE_INFINITY): Storage {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError')
      entries.set(key, value)
    },
    removeItem: (key: string) => void entries.delete(key),
    clear: () => entries.clear(),
    key: (n: number) => [...entries.keys()][n] ?? null,
    get length() {
      return entries.size
    },
  }
}

describe('stored part of a conversation', () => {
  test('the last fifty of sixty messages', () => {
    const messages = Array.from({ length: 30 }, (_, n) => pair(n)).flat()
    const copy = copyOf(begun('c', messages))!
    expect(copy.messages).toHaveLength(50)
    expect(copy.messages.at(-1)?.content).toBe('answer 29')
    expect(copy.title).toBe('question 0')
  })

  test('nothing before the first answer, and no unanswered question', () => {
    const action = { type: 'asked', id: 'q9', conversationId: 'c', content: 'my passport is held', at: at(9) } as const
    expect(copyOf(conversationReducer(begun(''), action))).toBeNull()
    expect(copyOf(conversationReducer(conversation('c'), action))!.messages.map(({ content }) => content)).toEqual([
      'question 1',
      'answer 1',
    ])
  })

  test('nothing where there is danger, even while the answer is still streaming, unless the user wants it', () => {
    expect(copyOf(conversation('c', 1, { danger: panel }))).toBeNull()
    expect(copyOf({ ...conversation('c'), draft: { id: 'a', content: '', danger: panel } })).toBeNull()
    expect(copyOf({ ...conversation('c', 1, { danger: panel }), isSavedLocally: true })).not.toBeNull()
  })
})

describe('the copies in a browser', () => {
  test('are limited to twenty: the twenty-first evicts the oldest', () => {
    const copies = Array.from({ length: 21 }, (_, n) => copy(`c${n}`, n)).reduce<Copy[]>(withCopy, [])
    expect(copies).toHaveLength(20)
    expect(copies[0]!.id).toBe('c20')
    expect(copies.map(({ id }) => id)).not.toContain('c0')
  })

  test('contain each conversation once', () => {
    expect(withCopy([copy('c', 1)], copy('c', 2))).toEqual([copy('c', 2)])
  })

  test('are searched by their text, at most twenty results', () => {
    const copies = Array.from({ length: 30 }, (_, n) => copy(`c${n}`, n))
    expect(found(copies, '  ANSWER ')).toHaveLength(20)
    expect(found(copies, 'answer 17').map(({ id }) => id)).toEqual(['c17'])
    expect(found(copies, 'nothing of it')).toEqual([])
  })

  test('are evicted, oldest first, when the storage is full', () => {
    const full = storage(3_000)
    const copies = Array.from({ length: 20 }, (_, n) => copy(`c${n}`, 20 - n))
    expect(writeCopies(() => full, 'k', copies)).toBe(true)
    const left = readCopies(() => full, 'k')
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(20)
    expect(left[0]!.id).toBe('c0')
  })

  test.each(['no JSON', '{}', '[1,null,{"id":1}]', '[{"id":"c","title":"t","lastActivity":"x","messages":[{}]}]'])(
    'are empty if the storage contains something else: %s',
    (text) => {
      const other = storage()
      other.setItem('k', text)
      expect(readCopies(() => other, 'k')).toEqual([])
    },
  )

  test('are empty if storage is forbidden', () => {
    const forbidden = () => {
      throw new DOMException('no', 'SecurityError')
    }
    expect(readCopies(forbidden, 'k')).toEqual([])
    expect(writeCopies(forbidden, 'k', [copy('c')])).toBe(false)
  })
})

describe('the shelf', () => {
  afterEach(() => vi.unstubAllGlobals())
  function browser() {
    const stores = { localStorage: storage(), sessionStorage: storage() }
    for (const [name, store] of Object.entries(stores)) vi.stubGlobal(name, store)
    return stores
  }

  test("an anonymous visitor's conversations are deleted with the tab", () => {
    const { localStorage, sessionStorage } = browser()
    createShelf(null).save(copy('c'))
    expect(localStorage.length).toBe(0)
    expect(sessionStorage.getItem(KEYS.visitor)).toContain('question 1')
  })

  test('a conversation with danger saved on request stays on the device until it is unticked', () => {
    const { localStorage, sessionStorage } = browser()
    const shelf = createShelf(null)
    const wanted = { ...conversation('c', 1, { danger: panel }), isSavedLocally: true }
    shelf.save(copyOf(wanted)!)
    expect(localStorage.getItem(KEYS.saved)).toContain('question 1')
    expect(shelf.read().map(({ id }) => id)).toEqual(['c'])
    shelf.drop('c')
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  })

  test('a new user never gets the copies of another', () => {
    browser()
    createShelf('maria').save(copy('c'))
    expect(createShelf('jose').read()).toEqual([])
    expect(createShelf(null).read()).toEqual([])
    expect(createShelf('maria').read()).toHaveLength(1)
  })

  test('is empty after clearing', () => {
    browser()
    const shelf = createShelf(null)
    shelf.save(copy('c'))
    shelf.currentId.set('c')
    shelf.clear()
    expect(shelf.read()).toEqual([])
    expect(shelf.currentId.get()).toBeNull()
  })
})

test('copies missing on the server are restored, except those older than the end of a full list', () => {
  const listed = [{ id: 'c1', lastActivity: at(1) }]
  expect(missing([copy('c1'), copy('c2')], listed).map(({ id }) => id)).toEqual(['c2'])
  const full = Array.from({ length: 50 }, (_, n) => ({ id: `s${n}`, lastActivity: at(10 + n) }))
  expect(missing([copy('old', 5), copy('new', 70)], full).map(({ id }) => id)).toEqual(['new'])
})
