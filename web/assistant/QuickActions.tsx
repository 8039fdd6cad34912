import type { QuickAction } from '#shared/assistant/answer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { AskForm } from './AskForm.tsx'
import { dialled, safeLink } from './links.ts'
import styles from './QuickActions.module.css'

/** The page offers human support itself, below every answer. */
const isSupport = ({ action, value }: QuickAction) => action === 'navigate' && value === '/support'

/** Next steps: a question to ask, a page of the portal, or a number to call. */
export function QuickActions({ actions: all }: { actions: readonly QuickAction[] }) {
  const t = useT('assistant')
  const actions = all.filter((action) => !isSupport(action))
  if (actions.length === 0) return null
  return (
    <fieldset className={styles.actions}>
      <legend className="visually-hidden">{t('quick_actions')}</legend>
      <AskForm>
        <div className={styles.row}>
          {actions.map((action) => (
            <Action key={`${action.action} ${action.value} ${action.label}`} {...action} />
          ))}
        </div>
      </AskForm>
    </fieldset>
  )
}

function Action({ label, action, value }: QuickAction) {
  if (action === 'send')
    return (
      <Button isSmall type="submit" name="question" value={value}>
        {label}
      </Button>
    )
  if (action === 'call')
    return (
      <ButtonLink isSmall icon="phone" to={dialled(value)}>
        {label}
      </ButtonLink>
    )
  const address = safeLink(value)
  return address ? (
    <ButtonLink isSmall to={address}>
      {label}
    </ButtonLink>
  ) : null
}
