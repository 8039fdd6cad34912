import { useRef, useState } from 'react'
import { translator, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { useHydrated } from '#web/lib/useHydrated.ts'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/ChatPage'
import { Announcer } from './Announcer.tsx'
import { ScriptsContext, useScripts } from './AskForm.tsx'
import styles from './ChatPage.module.css'
import { ChatProvider, useChat } from './ChatProvider.tsx'
import { Composer } from './Composer.tsx'
import { HistoryList } from './HistoryList.tsx'
import { LeaveBar } from './LeaveBar.tsx'
import { MessageList } from './MessageList.tsx'
import { conversationsOf, handleForm } from './page.server.ts'
import { SettingsPanel } from './SettingsPanel.tsx'
import { Sheet } from './Sheet.tsx'
import { Starters } from './Starters.tsx'
import { useChatPreferences } from './useChatPreferences.ts'
import { type History, useHistory } from './useHistory.ts'

export const handle = { ns: ['assistant', 'forms'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const conversations = await conversationsOf(context, new URL(request.url).searchParams)
  return { ...conversations, description: translator(language, 'assistant')('page_description') }
}

export const action = ({ request, context }: Route.ActionArgs) => handleForm(context, request)

/** The URL follows the open conversation; its data is already loaded. */
export const shouldRevalidate = () => false

/** Questions in the user's own language, answered from records. */
export default function ChatPage({ loaderData, actionData }: Route.ComponentProps) {
  const { open, preferences } = loaderData
  const [chatPreferences, changePreferences] = useChatPreferences(preferences)
  const [initial] = useState(() => ({
    id: open?.id ?? null,
    ...(open ? { title: open.title } : {}),
    messages: [...(open?.messages ?? []), ...(actionData?.messages ?? [])],
    isOnServer: open !== null,
  }))
  return (
    <ScriptsContext value={useHydrated()}>
      {/* The page shrinks to the space above an on-screen keyboard. */}
      <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
      <ChatProvider initial={initial} preferences={chatPreferences} changePreferences={changePreferences}>
        <Screen loaded={loaderData} values={actionData?.question ?? ''} problem={actionData?.error?.error} />
      </ChatProvider>
    </ScriptsContext>
  )
}

interface ScreenProps {
  loaded: Route.ComponentProps['loaderData']
  values: string
  problem: string | undefined
}

function Screen({ loaded, values, problem }: ScreenProps) {
  const t = useT('assistant')
  const translate = useTranslateMessage()
  const { conversation, preferences } = useChat()
  const user = useUser()
  const history = useHistory(user?.id ?? null, loaded)
  const isEmpty = conversation.messages.length === 0
  return (
    <div className={styles.chat} data-font-size={preferences.settings.fontSize}>
      {/* Without scripts nothing is stored of an anonymous visitor's questions. */}
      <aside className={classes(styles.aside, !user && 'needs-script')} aria-label={t('conversations')}>
        <div className={styles.sticky}>
          <HistoryList history={history} />
        </div>
      </aside>
      <div className={styles.main}>
        <LeaveBar />
        <div className={styles.top}>
          <Breadcrumbs />
          <Tools history={history} />
        </div>
        <div className={styles.conversation}>
          <h1 className={isEmpty ? styles.title : 'visually-hidden'}>{t(isEmpty ? 'begin_title' : 'page_title')}</h1>
          {loaded.goneId && isEmpty && <Note kind="unknown" title={t('conversation_gone')} />}
          {isEmpty && <Starters />}
          <MessageList />
          {problem && <Note kind="error" title={translate(problem)} isLive />}
        </div>
        <Composer values={values} />
        <Announcer />
      </div>
    </div>
  )
}

/** Buttons for the conversations, where there is no room for a side panel, and for the settings. */
function Tools({ history }: { history: History }) {
  const t = useT('assistant')
  const hasScripts = useScripts()
  const conversations = useRef<HTMLDialogElement>(null)
  const settings = useRef<HTMLDialogElement>(null)
  return (
    <div className={`${styles.tools} needs-script`}>
      <Button
        look="link"
        isSmall
        icon="menu"
        className={styles.narrow}
        onClick={() => conversations.current?.showModal()}
      >
        {t('conversations')}
      </Button>
      <Button look="link" isSmall icon="sliders" onClick={() => settings.current?.showModal()}>
        {t('settings')}
      </Button>
      {hasScripts && (
        <>
          <Sheet dialog={conversations} title={t('conversations')} side="start">
            <HistoryList history={history} onChosen={() => conversations.current?.close()} />
          </Sheet>
          <SettingsPanel dialog={settings} />
        </>
      )}
    </div>
  )
}
