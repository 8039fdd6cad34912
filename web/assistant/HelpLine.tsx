import type { HelpLine as Line } from '#shared/assistant/answer.ts'
import { emergencyPath } from '#shared/emergency/address.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './HelpLine.module.css'
import { dialled } from './links.ts'

/** Precedes an answer to a question that may be about danger: one calm line with a number, and a link to what to do. */
export function HelpLine({ text, hotline, country, page_label }: Line) {
  return (
    <div className={styles.help}>
      {hotline ? (
        <a href={dialled(hotline.phone)} className={styles.call}>
          <Icon name="phone" />
          <bdi>{text}</bdi>
        </a>
      ) : (
        <p className={styles.text}>{text}</p>
      )}
      <a href={emergencyPath(country)} className={styles.page}>
        {page_label}
      </a>
    </div>
  )
}
