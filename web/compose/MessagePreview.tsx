import { type ReactNode, useState } from 'react'
import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import { directionOf, LANGUAGES } from '#shared/language.ts'
import { MailFrame } from '#web/delivery/MailFrame.tsx'
import { formatClock, formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useHydrated } from '#web/lib/useHydrated.ts'
import { Button } from '#web/ui/Button.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import segments from '#web/ui/Segments.module.css'
import { type Counted, dayThere } from './estimate.ts'
import styles from './MessagePreview.module.css'

type Shown = ReachEstimate['previews'][number]

/** A radio button that belongs to no form: what is shown is not part of the message. */
const OUTSIDE = 'no-form'
const VIEWS = ['short', 'sms', 'email'] as const

interface Props {
  counted: Counted | null
  /** A reader or a language, as submitted without scripts. */
  as: string | undefined
  isBehind: boolean
}

/** The message as one recipient gets it, by channel. All channels are in the markup; the tabs work without scripts. */
export function MessagePreview({ counted, as: submitted, isBehind }: Props) {
  const t = useT('compose')
  const [as, setAs] = useState(submitted ?? '')
  const isHydrated = useHydrated()
  const readers = counted?.estimate.readers ?? []
  const reader = readers.find(({ id }) => id === as) ?? (as === '' ? readers[0] : undefined)
  const language = reader?.language ?? LANGUAGES.find((of) => of === as) ?? 'en'
  const preview = counted?.estimate.previews.find((one) => one.language === language)
  return (
    <section id="preview" className={styles.preview} aria-labelledby="preview-title">
      <div className={styles.head}>
        <h2 id="preview-title">{t('preview')}</h2>
        <fieldset className={segments.segments}>
          <legend className="visually-hidden">{t('channel')}</legend>
          {VIEWS.map((view) => (
            <label key={view}>
              <input type="radio" name="view" value={view} form={OUTSIDE} defaultChecked={view === 'short'} />
              {t(`view_${view}`)}
            </label>
          ))}
        </fieldset>
      </div>
      <div className={styles.as}>
        <SelectField
          label={t('preview_as')}
          // With scripts the choice stays here: a form shown again starts with its first reader.
          {...(isHydrated ? {} : { name: 'as' })}
          value={reader?.id ?? language}
          onChange={(event) => setAs(event.target.value)}
        >
          {readers.map(({ id, name, language: of }) => (
            <option key={id} value={id}>
              {`${name}${t('comma')}${t(`language_${of}`)}`}
            </option>
          ))}
          {LANGUAGES.map((of) => (
            <option key={of} value={of}>
              {t('any_reader', { language: t(`language_${of}`) })}
            </option>
          ))}
        </SelectField>
        <Button type="submit" name="intent" value="estimate" isSmall className={styles.again}>
          {t('preview_show')}
        </Button>
      </div>
      <div className={isBehind ? styles.behind : undefined}>
        {preview && counted ? (
          <Views preview={preview} now={counted.now} zone={reader?.time_zone} />
        ) : (
          <p className={styles.none}>{t('preview_none')}</p>
        )}
      </div>
    </section>
  )
}

function Views({ preview, now, zone }: { preview: Shown; now: string; zone: string | undefined }) {
  const t = useT('compose')
  const reader = useLanguage()
  const { language, is_borrowed, short, sms, mail } = preview
  const content = { lang: language, dir: directionOf(language) }
  return (
    <>
      <div className={styles.short}>
        <div className={styles.screen}>
          {zone && (
            <p className={styles.clock}>
              <b>{formatClock(reader, now, zone)}</b>
              <span>{dayThere(now, reader, zone)}</span>
            </p>
          )}
          <div className={styles.push} {...content}>
            <strong dir="auto">{short.title || t('untitled')}</strong>
            <span dir="auto">{short.body}</span>
          </div>
        </div>
        <LockScreenFact body={short.body} />
      </div>
      <div className={styles.sms}>
        <p className={styles.bubble} lang={language} dir="auto">
          {sms.text}
        </p>
        <Fact isGood={!sms.is_cut}>
          {t('sms_size', { count: sms.segments, n: formatNumber(reader, sms.segments) })}
          {sms.is_cut && ` ${t('sms_cut')}`}
        </Fact>
      </div>
      <div className={styles.email}>
        <p className={styles.subject}>
          <b>{t('subject')}</b> <bdi>{mail.subject}</bdi>
        </p>
        <MailFrame html={mail.html} title={t('mail_in', { language: t(`language_${language}`) })} />
      </div>
      {is_borrowed && <Note kind="unknown" title={t('borrowed', { language: t(`language_${language}`) })} />}
    </>
  )
}

/** What phones show of a notification before it is opened. */
const LOCK_SCREEN_LENGTH = 120

function LockScreenFact({ body }: { body: string }) {
  const t = useT('compose')
  const { length } = [...body]
  const fits = length <= LOCK_SCREEN_LENGTH
  return <Fact isGood={fits}>{t(fits ? 'fits' : 'fits_not', { n: length, limit: LOCK_SCREEN_LENGTH })}</Fact>
}

function Fact({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  return (
    <p className={isGood ? styles.good : styles.doubt}>
      <Icon name={isGood ? 'check' : 'unknown'} /> {children}
    </p>
  )
}
