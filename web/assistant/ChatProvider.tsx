import { createContext, type ReactNode, use, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { ChatRequest } from '#shared/assistant/chat.ts'
import { SCREEN_TOKENS } from '#shared/assistant/limits.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import { ask, errorFrom } from './chat-client.ts'
import {
  begun,
  type Conversation,
  type ConversationAction,
  conversationReducer,
  isInDanger,
  unanswered,
} from './conversation.ts'
import { newId } from './ids.ts'
import { contentOf, type ShownMessage } from './messages.ts'
import type { Place } from './place.ts'
import type { ChatPreferences } from './settings.ts'
import { turnsOf } from './turns.ts'

export interface Chat {
  conversation: Conversation
  preferences: ChatPreferences
  changePreferences: (next: ChatPreferences) => void
  /** The user's location, once shared: it is sent with the questions. */
  place: Place | null
  setPlace: (place: Place | null) => void
  /** With a location found just now, if the question requested one. */
  ask: (question: string, near?: Place) => void
  askAgain: () => void
  stop: () => void
  /** Opens another conversation, or starts a new one. */
  open: (conversation?: Conversation) => void
  dispatch: (happening: ConversationAction) => void
}

const ChatContext = createContext<Chat | null>(null)

/** The conversation of the page and its actions. */
export function useChat(): Chat {
  const chat = use(ChatContext)
  if (!chat) throw new Error('useChat must be used within a ChatProvider')
  return chat
}

interface Props {
  initial: { id: string | null; title?: string; messages: ShownMessage[]; isOnServer: boolean }
  preferences: ChatPreferences
  changePreferences: (next: ChatPreferences) => void
  children: ReactNode
}

export function ChatProvider({ initial, preferences, changePreferences, children }: Props) {
  const language = useLanguage()
  const [conversation, dispatch] = useReducer(conversationReducer, initial, ({ id, title, messages, isOnServer }) =>
    begun(id ?? '', messages, title, isOnServer),
  )
  const [place, setPlace] = useState<Place | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const chat = useMemo<Chat>(() => {
    const { messages, id, isOnServer, phase } = conversation

    async function run(turns: readonly ShownMessage[], near: Place | null = place) {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      const { signal } = control
      const still = (happening: ConversationAction) => !signal.aborted && dispatch(happening)
      const answerId = newId()
      const body: ChatRequest = {
        messages: turnsOf(turns),
        save: !isInDanger(conversation),
        interface_language: language,
        options: { max_tokens: SCREEN_TOKENS },
        ...(isOnServer ? { conversation_id: id } : {}),
        ...(preferences.language ? { language: preferences.language } : {}),
        ...(near ? { location: near } : {}),
      }
      const hearing = {
        onStart: (lead: object) => still({ type: 'began', id: answerId, lead }),
        onText: (text: string) => still({ type: 'words', text }),
      }
      try {
        const reply = await ask(body, preferences.settings.enableRealTime, hearing, signal)
        const { metadata } = reply
        still({ type: 'answered', id: answerId, content: contentOf(reply), metadata, at: new Date().toISOString() })
      } catch (error) {
        still({ type: 'failed', error: errorFrom(error) })
      }
    }

    return {
      conversation,
      preferences,
      changePreferences,
      place,
      setPlace,
      dispatch,
      ask(question, near) {
        const content = question.trim()
        if (content === '' || phase !== 'idle') return
        const ids = { id: newId(), conversationId: newId() }
        const action: ConversationAction = { type: 'asked', ...ids, content, at: new Date().toISOString() }
        dispatch(action)
        void run(conversationReducer(conversation, action).messages, near)
      },
      askAgain() {
        if (!unanswered(conversation) || phase !== 'idle') return
        dispatch({ type: 'asked again' })
        void run(messages)
      },
      stop() {
        running.current?.abort()
        dispatch({ type: 'stopped', at: new Date().toISOString() })
      },
      open(other = begun('')) {
        running.current?.abort()
        dispatch({ type: 'opened', conversation: other })
      },
    }
  }, [conversation, preferences, changePreferences, place, language])
  return <ChatContext value={chat}>{children}</ChatContext>
}
