import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './NewRollCall.module.css'
import type { Choices, Reach, Values } from './new-roll-call.server.ts'

interface Props {
  choices: Choices
  values: Values
  reach: Reach
  error: FormError | undefined
}

/** Confirmation before the roll call starts: number of recipients, and channels. Works without scripts. */
export function ConfirmStart({ choices, values, reach: { people, unreachable, channels }, error }: Props) {
  const t = useT('rollCalls')
  const language = useLanguage()
  const number = (count: number) => formatNumber(language, count)
  const chapter = choices.chapters.find(({ id }) => id === values.chapter)?.chapter_name
  const places = choices.countries.filter(({ code }) => values.countries.includes(code)).map(({ name }) => name)
  const used = channels.filter((row) => row.people > 0)
  return (
    <section className={styles.confirm} aria-labelledby="confirm-title">
      <h2 id="confirm-title">{t('confirm_title', { count: people, n: number(people) })}</h2>
      <p>
        <bdi>{values.title}</bdi> · <bdi>{[...places, chapter].filter(Boolean).join(t('comma'))}</bdi>
      </p>
      <table className={styles.channels}>
        <caption className="visually-hidden">{t('confirm_channels')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('confirm_channel')}</th>
            <th scope="col">{t('confirm_recipients')}</th>
          </tr>
        </thead>
        <tbody>
          {used.map((row) => (
            <tr key={row.channel}>
              <th scope="row">{t(`channel_${row.channel}`)}</th>
              <td>{number(row.people)}</td>
            </tr>
          ))}
          {unreachable > 0 && (
            <tr className={styles.bad}>
              <th scope="row">
                <Icon name="critical" /> {t('confirm_unreachable')}
              </th>
              <td>{number(unreachable)}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p>{t('confirm_text')}</p>
      <Form error={error}>
        <Hidden values={values} />
        <input type="hidden" name="people" value={people} />
        <div className={styles.buttons}>
          <Submit name="intent" value="start" busyLabel={t('starting')}>
            {t('confirm_start', { count: people, n: number(people) })}
          </Submit>
          <Submit look="secondary" name="intent" value="edit">
            {t('confirm_back')}
          </Submit>
        </div>
      </Form>
    </section>
  )
}

/** The form values, for the next step and for going back. */
function Hidden({ values: { countries, ...texts } }: { values: Values }) {
  return (
    <>
      {Object.entries(texts).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {countries.map((code) => (
        <input key={code} type="hidden" name="countries" value={code} />
      ))}
    </>
  )
}
