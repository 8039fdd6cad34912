import { useEffect, useState } from 'react'
import type { Hotline, DangerPanel as Panel } from '#shared/assistant/answer.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { emergencyPath } from '#shared/emergency/address.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { RetryButton, useFormAddress, useScripts } from './AskForm.tsx'
import { type CaseAbout, CaseForm } from './CaseForm.tsx'
import { useChat } from './ChatProvider.tsx'
import { countriesIn } from './countries.ts'
import styles from './DangerPanel.module.css'
import { dialled } from './links.ts'

interface Props {
  id: string
  panel: Panel
  question: string
  questionId: string | null
  language: AssistantLanguage
}

/** Precedes an answer to a user who may be in danger: numbers first, then other help. In the answer's language. */
export function DangerPanel({ id, panel, question, questionId, language }: Props) {
  const { title, message, hotlines, texts, dangers, country } = panel
  const isIn = useUser() !== null
  const about: CaseAbout = { question_id: questionId, dangers, country, language }
  const formTexts = { safePhone: texts.safe_phone, safeTime: texts.safe_time, send: texts.send }
  return (
    <section className={styles.danger} aria-labelledby={`${id}-danger`}>
      <h3 id={`${id}-danger`} className={styles.head}>
        <Icon name="phone" />
        {title}
      </h3>
      <div className={styles.body}>
        <Hotlines hotlines={hotlines.filter(({ is_expired }) => !is_expired)} />
        <OlderNumbers hotlines={hotlines.filter(({ is_expired }) => is_expired)} />
        <p>
          <a href={emergencyPath(country)}>{useT('common')('emergency_what_to_do')}</a>
        </p>
        <CountryChoice panel={panel} question={question} language={language} />
        <p className={styles.message}>{message}</p>
        <div className={styles.contacts}>
          <CaseForm
            kind="call_back"
            about={about}
            texts={{ ...formTexts, title: texts.call_back, help: texts.call_back_help }}
            hasPhone
            icon={<Icon name="phone" />}
          />
          {isIn && (
            <CaseForm
              kind="danger"
              about={about}
              texts={{ ...formTexts, title: texts.notify_coordinator, help: texts.notify_coordinator_help }}
              hasPhone={false}
              icon={<Icon name="person" />}
            />
          )}
        </div>
        <SaveInBrowser texts={texts} />
      </div>
    </section>
  )
}

function Hotlines({ hotlines }: { hotlines: readonly Hotline[] }) {
  if (hotlines.length === 0) return null
  return (
    <ul className={styles.hotlines}>
      {hotlines.map((hotline) => (
        <li key={hotline.record}>
          <CallRow {...hotline} />
        </li>
      ))}
    </ul>
  )
}

/** Numbers not confirmed recently: better than none, but collapsed. */
function OlderNumbers({ hotlines }: { hotlines: readonly Hotline[] }) {
  const t = useT('assistant')
  if (hotlines.length === 0) return null
  return (
    <details>
      <summary>{t('older_numbers', { count: hotlines.length })}</summary>
      <Hotlines hotlines={hotlines} />
    </details>
  )
}

function CallRow({ label, name, phone, hours, checked_on, is_expired }: Hotline) {
  const t = useT('assistant')
  return (
    <a href={dialled(phone)} className={is_expired ? `${styles.call} ${styles.expired}` : styles.call}>
      <span className={styles.who}>
        <span>{label}</span>
        {name && <bdi className={styles.name}>{name}</bdi>}
        {hours && <span className={styles.name}>{hours}</span>}
        {is_expired && (
          <UnknownTag>
            {t('source_last_confirmed')} <Time value={checked_on} look="day" precision="day" />
          </UnknownTag>
        )}
      </span>
      <span className={styles.phone}>
        <bdi dir="ltr">{phone}</bdi>
      </span>
    </a>
  )
}

/** Country of the numbers: repeats the question with its name. */
function CountryChoice({ panel, question, language }: Pick<Props, 'panel' | 'question' | 'language'>) {
  const { ask } = useChat()
  const address = useFormAddress()
  const hasScripts = useScripts()
  const [countries, setCountries] = useState(() => (hasScripts ? [] : countriesIn(language)))
  useEffect(() => setCountries(countriesIn(language)), [language])
  const { choose_country, send } = panel.texts
  return (
    <form
      method="post"
      action={address}
      className={styles.country}
      onSubmit={(event) => {
        event.preventDefault()
        const name = new FormData(event.currentTarget).get('place')
        if (name) ask(`${question}\n${name}`)
      }}
    >
      <RetryButton />
      <input type="hidden" name="question" value={question} />
      <label className={styles.choice}>
        <span>{choose_country}</span>
        <select name="place" defaultValue={panel.country_name ?? ''} key={countries.length} suppressHydrationWarning>
          <option value="">…</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit">{send}</Button>
    </form>
  )
}

/** Nothing is stored in this browser unless the box is ticked. */
function SaveInBrowser({ texts }: { texts: Panel['texts'] }) {
  const { conversation, dispatch } = useChat()
  return (
    <div className={styles.keep}>
      <p>{texts.nothing_kept}</p>
      <label className="needs-script">
        <input
          type="checkbox"
          checked={conversation.isSavedLocally}
          onChange={({ target }) => dispatch({ type: 'kept here', isSaved: target.checked })}
        />
        <span>{texts.keep_here}</span>
      </label>
    </div>
  )
}
