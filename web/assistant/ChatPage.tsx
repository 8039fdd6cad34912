import { useState } from 'react'
import { translator, useT } from '../lib/i18n.tsx'
import { useSaid } from '../lib/said.ts'
import { visitorOf } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import { Note } from '../ui/Note.tsx'
import type { Route } from './+types/ChatPage'
import { ScriptsContext } from './Again.tsx'
import styles from './ChatPage.module.css'
import { ChatProvider, useChat } from './ChatProvider.tsx'
import { Composer } from './Composer.tsx'
import { MessageList } from './MessageList.tsx'
import { conversationsOf, posted } from './page.server.ts'
import { Starters } from './Starters.tsx'
import { useHydrated } from './useHydrated.ts'
import { useWishes } from './useWishes.ts'

export const handle = { ns: ['assistant', 'forms'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const conversations = await conversationsOf(context, new URL(request.url).searchParams)
  return { ...conversations, description: translator(language, 'assistant')('page_description') }
}

export const action = ({ request, context }: Route.ActionArgs) => posted(context, request)

/** Questions in one's own language, answered from records. */
export default function ChatPage({ loaderData, actionData }: Route.ComponentProps) {
  const { open, preferences } = loaderData
  const [wishes, changeWishes] = useWishes(preferences)
  const [initial] = useState(() => ({
    id: open?.id ?? null,
    ...(open ? { title: open.title } : {}),
    messages: actionData?.messages.length ? actionData.messages : (open?.messages ?? []),
    isOnServer: open !== null,
  }))
  return (
    <ScriptsContext value={useHydrated()}>
      {/* With the keyboard of a phone open the page is as high as what is left of the screen. */}
      <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
      <ChatProvider initial={initial} wishes={wishes} changeWishes={changeWishes}>
        <Screen typed={actionData?.question ?? ''} problem={actionData?.failure?.error} />
      </ChatProvider>
    </ScriptsContext>
  )
}

function Screen({ typed, problem }: { typed: string; problem: string | undefined }) {
  const t = useT('assistant')
  const say = useSaid()
  const { conversation } = useChat()
  const isEmpty = conversation.messages.length === 0
  return (
    <div className={styles.chat}>
      <div className={styles.main}>
        <div className={styles.conversation}>
          <h1 className={isEmpty ? styles.title : 'visually-hidden'}>{t(isEmpty ? 'begin_title' : 'page_title')}</h1>
          {isEmpty && <Starters />}
          <MessageList />
          {problem && <Note kind="error" title={say(problem)} isLive />}
        </div>
        <Composer typed={typed} />
      </div>
    </div>
  )
}
