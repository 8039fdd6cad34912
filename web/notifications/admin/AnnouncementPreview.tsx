import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { directionOf } from '#shared/language.ts'
import { MailFrame } from '#web/delivery/MailFrame.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import styles from './Announcements.module.css'

interface Props {
  preview: ReachEstimate['previews'][number]
  /** The announcement's channels. */
  channels: readonly Channel[]
}

/** Preview in one language, by channel. */
export function AnnouncementPreview({ preview: { language, is_borrowed, mail, sms, short }, channels }: Props) {
  const t = useT('announcements')
  const reader = useLanguage()
  const written = { lang: language, dir: directionOf(language) }
  const name = t(`language_${language}`)
  const takes = (...anyOf: Channel[]) => anyOf.some((channel) => channels.includes(channel))
  return (
    <div className={styles.language}>
      <h3>{name}</h3>
      {is_borrowed && <p className={styles.hint}>{t('borrowed')}</p>}
      {takes('email') && (
        <div className={`${styles.preview} ${styles.mail}`}>
          <h4>
            {t('channel_email')}: <bdi>{mail.subject}</bdi>
          </h4>
          <MailFrame html={mail.html} title={t('mail_in', { language: name })} />
        </div>
      )}
      {takes('sms', 'whatsapp') && (
        <div className={styles.preview}>
          <h4>{t(takes('sms') ? 'channel_sms' : 'channel_whatsapp')}</h4>
          <p className={styles.bubble} lang={language} dir="auto">
            {sms.text}
          </p>
          <p className={styles.hint}>
            {t('sms_form', { count: sms.segments, n: formatNumber(reader, sms.segments), encoding: sms.encoding })}
            {sms.is_cut && ` ${t('sms_cut')}`}
          </p>
        </div>
      )}
      {takes('in-app', 'push') && (
        <div className={styles.preview}>
          <h4>{t('inbox_and_push')}</h4>
          <div className={styles.card} {...written}>
            <strong dir="auto">{short.title}</strong>
            <span dir="auto">{short.body}</span>
          </div>
        </div>
      )}
    </div>
  )
}
