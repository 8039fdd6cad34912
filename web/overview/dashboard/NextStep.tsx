import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import styles from './DashboardPage.module.css'
import type { NextStep as Step } from './next-step.ts'

/** The box at the top: the next step, with a button that leads there. */
export function NextStep({ step, email }: { step: Step; email: string }) {
  const t = useT('dashboard')
  return (
    <section className={styles.step} aria-labelledby="next-step">
      <div>
        <p className={styles.label}>{t('next_step')}</p>
        <h2 id="next-step">{t(`step_${step.kind}`)}</h2>
        <p className={styles.text}>{textOf(t, step, email)}</p>
      </div>
      <ButtonLink look="primary" to={ADDRESS[step.kind]}>
        {t(`step_${step.kind}_button`)}
      </ButtonLink>
    </section>
  )
}

const ADDRESS: Record<Step['kind'], string> = {
  confirm_email: '/verify-email',
  choose_countries: '/dashboard/profile',
  finish_profile: '/dashboard/profile',
}

function textOf(t: ReturnType<typeof useT<'dashboard'>>, step: Step, email: string): string {
  if (step.kind === 'confirm_email') return t('step_confirm_email_text', { email: isolated(email) })
  if (step.kind === 'choose_countries') return t('step_choose_countries_text')
  return t('step_finish_profile_text', { parts: step.missing.map((field) => t(`field_${field}`)).join(t('comma')) })
}
