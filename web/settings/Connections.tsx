import { MESSAGE_CHANNELS, type MessageChannel } from '#shared/delivery/kinds.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { classes } from '#web/ui/classes.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Settings.module.css'

interface Props {
  unsent: readonly MessageChannel[]
  error: FormError | undefined
  /** A test was just sent. */
  isDone: boolean
}

/** The providers of messages: configured in the deployment, tested here. */
export function Connections({ unsent, error, isDone }: Props) {
  const t = useT('settings')
  const isEmailSent = !unsent.includes('email')
  return (
    <AdminPanel id="connections" title={t('connections')} end={<span className={styles.about}>{t('keys_hint')}</span>}>
      {isDone && (
        <div className={styles.panel}>
          <Note
            kind={isEmailSent ? 'success' : 'unknown'}
            isLive
            title={t(isEmailSent ? 'test_mail_sent' : 'test_mail_recorded')}
          />
        </div>
      )}
      <ul className={styles.connections}>
        {MESSAGE_CHANNELS.map((channel) => (
          <li key={channel}>
            <strong>{t(`channel_${channel}`)}</strong>
            <State isSet={!unsent.includes(channel)} />
            <span className={styles.about}>
              {unsent.includes(channel) ? t(`unsent_${channel}_text`) : t(`channel_${channel}_set`)}
            </span>
            {channel === 'email' && (
              <Form error={error} isGuarded={false}>
                <Submit look="secondary">{t('test_mail_send')}</Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </AdminPanel>
  )
}

function State({ isSet }: { isSet: boolean }) {
  const t = useT('settings')
  return (
    <span className={classes(styles.state, isSet ? styles.set : styles.unset)}>
      {isSet && <Icon name="check" />} {t(isSet ? 'set_up' : 'not_set_up')}
    </span>
  )
}
