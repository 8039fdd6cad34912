import { Link } from 'react-router'
import type { VisitorMessage } from '#shared/churches/care.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { formatDay, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import styles from './Care.module.css'

interface Props {
  messages: readonly VisitorMessage[]
  actionData: FormResult | undefined
  /** Shows the church of each, on a page with several. */
  isNamed?: boolean
}

/** Unanswered messages from visitors, the longest waiting first. */
export function Messages({ messages, actionData, isNamed }: Props) {
  const t = useT('care')
  if (messages.length === 0) return <p className={styles.none}>{t('messages_none')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={styles.queue} role="list">
      {messages.map((message) => (
        <li key={message.id}>
          <div className={styles.head}>
            {isNamed && (
              <Link to={`/admin/my-churches/${message.locale_id}`}>
                <bdi>{message.locale_name}</bdi>
              </Link>
            )}
            <Kind message={message} />
            <Time value={message.created_at} look="relative" />
          </div>
          <p>
            <bdi>{message.sender_name}</bdi> · <Contact value={message.sender_contact} />
            {message.language && (
              <>
                {' · '}
                {t('message_speaks')} <bdi>{message.language}</bdi>
              </>
            )}
          </p>
          {message.message && <UserText>{message.message}</UserText>}
          <p className={message.passed_on_to === 0 ? styles.alone : styles.muted}>
            {message.passed_on_to === 0 ? t('message_nobody') : t('message_passed', { count: message.passed_on_to })}
          </p>
          <Form error={actionData?.values.subject === message.id ? actionData.error : undefined} preventScrollReset>
            <input type="hidden" name="intent" value="answered" />
            <input type="hidden" name="subject" value={message.id} />
            <div>
              <Submit look="secondary">{t('answered')}</Submit>
            </div>
          </Form>
        </li>
      ))}
    </ul>
  )
}

function Kind({ message: { kind, arrives_on } }: { message: VisitorMessage }) {
  const t = useT('care')
  const language = useLanguage()
  return (
    <strong>
      {kind === 'arrival' && arrives_on
        ? t('message_arrival', { day: isolated(formatDay(language, arrives_on)) })
        : t('message_question')}
    </strong>
  )
}

function Contact({ value }: { value: string }) {
  const href = value.includes('@') ? `mailto:${value}` : `tel:${value.replace(/[^+\d]/g, '')}`
  return (
    <a href={href}>
      <bdi dir="ltr">{value}</bdi>
    </a>
  )
}
