import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ConversationSummary } from '#shared/assistant/conversations.ts'
import { call } from '#web/lib/call.ts'
import { type Copy, found } from './backup.ts'
import { bringBack } from './backup-restore.ts'
import { useChat } from './ChatProvider.tsx'
import { begun, type Conversation, isWhollyOnServer } from './conversation.ts'
import { createShelf, type LocalStore } from './local-store.ts'
import { fromStored } from './messages.ts'
import { conversationOf, useAutosave } from './useAutosave.ts'

/** An item in the list of conversations. */
export interface Listed {
  id: string
  title: string
  lastActivity: string
  /** Stored only in this browser. */
  isLocal: boolean
}

export interface History {
  items: Listed[]
  search: string
  setSearch: (search: string) => void
  begin: () => void
  open: (id: string) => void
  rename: (id: string, title: string) => void
  remove: (id: string) => void
  clear: () => void
  /** The last action failed. */
  hasFailed: boolean
}

/** Data loaded with the page. */
interface LoadedHistory {
  /** Conversations on the server that match the search. */
  list: ConversationSummary[] | null
  search: string
  /** A requested conversation that the server does not have. */
  goneId: string | null
}

const SEARCH_AFTER_MS = 300

/** A user's conversations: those on the server if signed in, and those stored only in this browser. */
export function useHistory(userId: string | null, { list: listed, search: searched, goneId }: LoadedHistory): History {
  const { conversation, open, dispatch } = useChat()
  const shelf = useMemo(() => createShelf(userId), [userId])
  const [copies, setCopies] = useState<Copy[]>([])
  const [onServer, setOnServer] = useState(listed)
  const [search, setSearch] = useState(searched)
  const [hasFailed, setFailed] = useState(false)
  useAutosave(shelf, setCopies)
  useAddress(conversation)

  const readList = useCallback(async (text: string) => {
    const { conversations } = await call('GET /ai/conversations', { query: text ? { search: text } : {} })
    setOnServer(conversations)
  }, [])

  useRestore({ shelf, userId, listed, searched, goneId, readList, setCopies, open })
  useListUpdates({ isActive: Boolean(userId && listed), search, readList, onError: () => setFailed(true) })

  const isOnServer = (id: string) => onServer?.some((each) => each.id === id) ?? false
  const act = async (run: () => Promise<unknown> | unknown) => {
    setFailed(false)
    try {
      await run()
    } catch {
      setFailed(true)
    }
    setCopies(shelf.read())
  }
  const begin = () => {
    shelf.currentId.set(null)
    open()
  }

  return {
    items: itemsOf(onServer, copies, search),
    search,
    setSearch,
    hasFailed,
    begin,
    open: (id) =>
      act(async () => {
        const copy = copies.find((each) => each.id === id)
        if (copy && !isOnServer(id)) {
          open(conversationOf(copy))
          return shelf.currentId.set(id)
        }
        const { messages } = await call('GET /ai/conversations/{id}/messages', { params: { id } })
        open(begun(id, messages.map(fromStored), onServer?.find((each) => each.id === id)?.title, true))
      }),
    rename: (id, title) =>
      act(async () => {
        if (isOnServer(id)) await call('PUT /ai/conversations/{id}', { params: { id }, body: { title } })
        setOnServer((list) => list?.map((each) => (each.id === id ? { ...each, title } : each)) ?? null)
        const copy = shelf.read().find((each) => each.id === id)
        if (copy) shelf.save({ ...copy, title })
        if (id === conversation.id) dispatch({ type: 'renamed', title })
      }),
    remove: (id) =>
      act(async () => {
        if (isOnServer(id)) await call('DELETE /ai/conversations/{id}', { params: { id } })
        setOnServer((list) => list?.filter((each) => each.id !== id) ?? null)
        // Close it first: an open conversation is saved.
        if (id === conversation.id) begin()
        shelf.drop(id)
      }),
    clear: () =>
      act(async () => {
        if (userId) await call('DELETE /ai/conversations')
        setOnServer((list) => list && [])
        begin()
        shelf.clear()
      }),
  }
}

interface RestoreDeps {
  shelf: LocalStore
  userId: string | null
  listed: ConversationSummary[] | null
  searched: string
  goneId: string | null
  readList: (text: string) => Promise<void>
  setCopies: (copies: Copy[]) => void
  open: (conversation?: Conversation) => void
}

/** Saves on the server what only this browser has, and opens a requested conversation that the server does not have. */
function useRestore({ shelf, userId, listed, searched, goneId, readList, setCopies, open }: RestoreDeps) {
  const opening = useRef(open)
  opening.current = open
  useEffect(() => {
    // Nothing is known about conversations that a search left out.
    if (!userId || !listed || searched) return
    void bringBack(shelf, listed).then((isChanged) => {
      const left = shelf.read()
      setCopies(left)
      const copy = left.find(({ id }) => id === goneId)
      if (copy) opening.current(conversationOf(copy))
      return isChanged ? readList('') : undefined
    })
  }, [shelf, userId, listed, searched, goneId, readList, setCopies])
}

interface UpdateDeps {
  isActive: boolean
  search: string
  readList: (text: string) => Promise<void>
  onError: () => void
}

/** Each answer and each change of the search updates the list. */
function useListUpdates({ isActive, search, readList, onError }: UpdateDeps) {
  const { conversation } = useChat()
  const failed = useRef(onError)
  failed.current = onError
  const reason = `${conversation.phase === 'idle' ? conversation.messages.length : ''} ${search}`
  const readFor = useRef(reason)
  useEffect(() => {
    if (!isActive || readFor.current === reason) return
    readFor.current = reason
    const timer = setTimeout(() => readList(search).catch(() => failed.current()), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isActive, reason, search, readList])
}

function itemsOf(onServer: ConversationSummary[] | null, copies: readonly Copy[], search: string): Listed[] {
  const known = new Set(onServer?.map(({ id }) => id))
  const local = found(copies, search).filter(({ id }) => !known.has(id))
  const items = [
    ...(onServer ?? []).map(({ id, title, lastActivity }) => ({ id, title, lastActivity, isLocal: false })),
    ...local.map(({ id, title, lastActivity }) => ({ id, title, lastActivity, isLocal: true })),
  ]
  return items.sort((a, b) => (a.lastActivity < b.lastActivity ? 1 : -1))
}

/** The URL names a conversation stored on the server, so that a reload restores it. */
function useAddress(conversation: Conversation) {
  const navigate = useNavigate()
  const wanted = isWhollyOnServer(conversation) ? `?conversation=${conversation.id}` : ''
  const isAtRest = conversation.phase === 'idle'
  const before = useRef(wanted)
  useEffect(() => {
    if (!isAtRest || before.current === wanted) return
    before.current = wanted
    void navigate(`/ai-chat${wanted}`, { replace: true, preventScrollReset: true })
  }, [isAtRest, wanted, navigate])
}
