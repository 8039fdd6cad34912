import { useEffect, useRef } from 'react'
import { FORGOTTEN } from '#web/lib/leftovers.ts'
import { type Copy, copyOf } from './backup.ts'
import { useChat } from './ChatProvider.tsx'
import { begun, isInDanger } from './conversation.ts'
import type { LocalStore } from './local-store.ts'
import { createSaver } from './saver.ts'

/** Saves the open conversation in the browser; restores an anonymous visitor's last one on reload. */
export function useAutosave(shelf: LocalStore, onCopies: (copies: Copy[]) => void) {
  const { conversation, open } = useChat()
  const latest = useRef(conversation)
  latest.current = conversation
  const opening = useRef(open)
  opening.current = open
  const saver = useRef<ReturnType<typeof createSaver>>(undefined)

  useEffect(() => {
    const copies = shelf.read()
    onCopies(copies)
    const last = copies.find(({ id }) => id === shelf.currentId.get())
    if (last && latest.current.messages.length === 0) opening.current(conversationOf(last))
    const created = createSaver(() => {
      const copy = copyOf(latest.current)
      if (!copy) return
      shelf.save(copy)
      shelf.currentId.set(copy.id)
      onCopies(shelf.read())
    })
    saver.current = created
    const away = () => document.visibilityState === 'hidden' && created.saveNow()
    const forget = () => {
      created.forget()
      created.end()
      saver.current = undefined
    }
    document.addEventListener('visibilitychange', away)
    addEventListener('pagehide', created.saveNow)
    addEventListener(FORGOTTEN, forget)
    return () => {
      created.saveNow()
      created.end()
      document.removeEventListener('visibilitychange', away)
      removeEventListener('pagehide', created.saveNow)
      removeEventListener(FORGOTTEN, forget)
    }
  }, [shelf, onCopies])

  const { id, messages, title, isSavedLocally } = conversation
  const isDangerous = isInDanger(conversation) && !isSavedLocally
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of these must be saved
  useEffect(() => {
    if (id === '' || messages.length === 0) return
    if (!isDangerous) return saver.current?.changed()
    // Content stored before the danger was detected is deleted at once.
    saver.current?.forget()
    shelf.drop(id)
    if (shelf.currentId.get() === id) shelf.currentId.set(null)
    onCopies(shelf.read())
  }, [id, messages, title, isSavedLocally, isDangerous, shelf, onCopies])
}

export const conversationOf = (copy: Copy) => ({
  ...begun(copy.id, copy.messages, copy.title, copy.isOnServer),
  isSavedLocally: copy.isSavedLocally,
})
