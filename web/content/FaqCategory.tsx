import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { type Category, categoryTitle } from './faq.ts'
import styles from './TravelFaqPage.module.css'

/** Questions that expand without scripts. The anchor is inside, where the browser expands the section by itself. */
export function FaqCategory({ category: { name, entries }, isOpen }: { category: Category; isOpen: boolean }) {
  const t = useT('content')
  return (
    <section className={styles.category} aria-labelledby={name}>
      <h2 id={name}>{categoryTitle(t, name)}</h2>
      <div className={styles.board}>
        {entries.map(({ slug, question, answer, updated_at }) => (
          <details key={slug} open={isOpen}>
            <summary>
              <Icon name="chevron" />
              <h3>{question}</h3>
            </summary>
            <div id={slug} className={styles.answer}>
              <div dangerouslySetInnerHTML={{ __html: answer }} />
              <p className={styles.foot}>
                <span>{dated(t('faq_updated', { date: '\n' }), updated_at)}</span>
                <a href={`#${slug}`} aria-label={t('faq_link_to', { question })}>
                  <Icon name="link" />
                </a>
              </p>
            </div>
          </details>
        ))}
      </div>
    </section>
  )
}

/** Inserts the date element into the sentence. */
function dated(sentence: string, date: string) {
  const [before, after] = sentence.split('\n')
  return (
    <>
      {before}
      <Time value={date} look="day" />
      {after}
    </>
  )
}
