import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { useChat } from './ChatProvider.tsx'
import styles from './LeaveBar.module.css'
import { HARMLESS, leaveQuickly, useQuickExitKey } from './quick-exit.ts'

/** Stays visible while the conversation involves danger: one tap clears the screen. */
export function LeaveBar() {
  const t = useT('assistant')
  const { conversation } = useChat()
  const { draft, messages } = conversation
  const danger = draft?.danger ?? messages.findLast(({ metadata }) => metadata?.danger)?.metadata?.danger
  useQuickExitKey(Boolean(danger))
  if (!danger) return null
  return (
    <div className={styles.bar}>
      <p className={styles.why}>{t('leave_why')}</p>
      <a
        href={HARMLESS}
        rel="noreferrer"
        className={styles.leave}
        dir="auto"
        onClick={(event) => {
          event.preventDefault()
          leaveQuickly()
        }}
      >
        <Icon name="close" />
        {danger.texts.leave_quickly}
      </a>
    </div>
  )
}
