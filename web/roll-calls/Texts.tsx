import { useT } from '#web/lib/i18n.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './RecipientList.module.css'
import type { Recipient } from './RollCallPage.tsx'

/** The note of an answer by text is made of texts, which stand on the list themselves. */
export const isInTexts = ({ answered_via, texts }: Recipient) => answered_via === 'sms' && texts.length > 0

/** What somebody texted during the roll call, word for word, the latest last. */
export function Texts({ recipient: { texts, opted_out_at } }: { recipient: Recipient }) {
  const t = useT('rollCalls')
  if (texts.length === 0) return null
  return (
    <div className={styles.texts}>
      {opted_out_at && <p className={styles.alone}>{t('opted_out')}</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so */}
      <ul role="list" aria-label={t('texts_label')}>
        {texts.map(({ body, channel, media_count, received_at }) => (
          <li key={`${received_at} ${body}`}>
            {body.trim() ? (
              <p className={styles.body} dir="auto">
                {body}
              </p>
            ) : (
              <p>{t('text_empty')}</p>
            )}
            <span className={styles.muted}>
              {t(`text_${channel}`)} · <Time value={received_at} look="relative" />
              {media_count > 0 && <> · {t('text_media', { count: media_count })}</>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
