import { Fragment } from 'react'
import { Link } from 'react-router'
import styles from './Audit.module.css'
import type { SentencePart } from './sentence.ts'

/** An entry of the audit log in one sentence: names isolated, records that exist linked. */
export function Sentence({ parts }: { parts: readonly SentencePart[] }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity and never move
    <Fragment key={at}>{part.kind === 'text' ? part.text : <Name part={part} />}</Fragment>
  ))
}

function Name({ part: { kind, text, to } }: { part: SentencePart }) {
  const name = <bdi>{text}</bdi>
  const linked = to ? <Link to={to}>{name}</Link> : name
  return kind === 'actor' ? <strong className={styles.actor}>{linked}</strong> : linked
}
