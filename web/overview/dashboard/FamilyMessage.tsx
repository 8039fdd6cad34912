import { useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import styles from './DashboardPage.module.css'
import type { Advice } from './dashboard.server.ts'

/** A short message to forward. Without scripts it is plain text to copy. */
export function FamilyMessage({ name, advice }: { name: string; advice: readonly Advice[] }) {
  const t = useT('dashboard')
  const site = useSite()
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const countries = advice.map((country) => country.name).join(t('comma'))
  const text = t(countries ? 'family_message' : 'family_message_nowhere', {
    name,
    countries,
    url: `${site?.public_url ?? ''}/travel-advisories`,
  })
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <Surface>
      <h2>{t('family_title')}</h2>
      <p className={styles.hint}>{t('family_text')}</p>
      <blockquote className={styles.message} dir="auto">
        {text}
      </blockquote>
      <Button className="needs-script" onClick={copy}>
        {t('family_copy')}
      </Button>
      <p role="status" className={styles.hint}>
        {state === 'copied' && t('family_copied')}
        {state === 'failed' && t('family_failed')}
      </p>
    </Surface>
  )
}
