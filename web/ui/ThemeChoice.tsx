import { useT } from '#web/lib/i18n.tsx'
import styles from './ThemeChoice.module.css'

const CHOICES = ['light', 'dark', 'system'] as const

/** Light, dark, or system. The page script handles the buttons, also on pages without other scripts. */
export function ThemeChoice() {
  const t = useT('common')
  return (
    <fieldset className={`${styles.choice} needs-script`}>
      <legend className="visually-hidden">{t('theme_label')}</legend>
      {CHOICES.map((choice) => (
        <button
          key={choice}
          ref={showWhetherChosen}
          type="button"
          data-theme-choice={choice}
          aria-pressed="false"
          suppressHydrationWarning
        >
          {t(`theme_${choice}`)}
        </button>
      ))}
    </fieldset>
  )
}

/** A footer rendered after a navigation did not exist when the page script marked the selected button. */
function showWhetherChosen(button: HTMLButtonElement | null) {
  const chosen = document.documentElement.dataset.theme ?? 'system'
  button?.setAttribute('aria-pressed', String(button.dataset.themeChoice === chosen))
}
