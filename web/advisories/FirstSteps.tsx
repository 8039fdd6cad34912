import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { CallStrip } from '#web/emergency/CallStrip.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import styles from './FirstSteps.module.css'
import type { Step, StepGroups } from './first-steps.ts'
import type { SectionHeading } from './section-heading.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: SectionHeading
}

/** More is behind a fold: in danger nobody reads twelve lines. */
const SHOWN = 4

/** What the source tells its readers to do, before why; and whom to call. Never a sentence of our own. */
export function FirstSteps({ detail, heading: Heading }: Props) {
  const t = useT('advisory')
  const { firstSteps, countries } = detail
  const [only, ...others] = countries
  const name = others.length === 0 ? only?.name : undefined
  const isSplit = firstSteps.here.length > 0 && firstSteps.planning.length > 0
  const isSerious = SEVERITY_RANK[detail.advisory.severity_level] >= SEVERITY_RANK.critical
  const isSilentHere =
    isSerious && firstSteps.planning.length > 0 && firstSteps.here.length + firstSteps.all.length === 0
  const titles = { here: name ? t('here_in', { name }) : t('here'), planning: t('planning'), all: undefined }
  const SubHeading = Heading === 'h2' ? 'h3' : 'h4'
  const groups = (['here', 'all', 'planning'] as const).filter((group) => firstSteps[group].length > 0)
  return (
    <section>
      <Heading>{t('first_steps')}</Heading>
      <div className={styles.box}>
        {isSilentHere && <SubHeading>{titles.here}</SubHeading>}
        {(groups.length === 0 || isSilentHere) && (
          <p>
            {t(isSilentHere ? 'no_steps_here' : 'no_steps')} <a href="/support">{t('ask_coordinator')}</a>
          </p>
        )}
        {groups.map((group) => (
          <Group
            key={group}
            title={isSplit || group === 'planning' ? titles[group] : undefined}
            steps={firstSteps[group]}
            source={detail.source}
            heading={SubHeading}
          />
        ))}
        <RollCall detail={detail} />
        {detail.call !== undefined && (
          <div className={styles.call}>
            <CallStrip call={detail.call} country={others.length === 0 ? (only?.code ?? null) : null} />
          </div>
        )}
      </div>
    </section>
  )
}

interface GroupProps {
  title: string | undefined
  steps: StepGroups[keyof StepGroups]
  source: AdvisoryDetailData['source']
  heading: 'h3' | 'h4'
}

function Group({ title, steps, source, heading: Heading }: GroupProps) {
  const t = useT('advisory')
  const rest = steps.slice(SHOWN)
  return (
    <div className={styles.group}>
      {title && <Heading>{title}</Heading>}
      <ol className={styles.steps}>
        {steps.slice(0, SHOWN).map((step) => (
          <Line key={step.text} step={step} source={source} />
        ))}
      </ol>
      {rest.length > 0 && (
        <details>
          <summary>{t('more_steps', { count: rest.length })}</summary>
          <ol className={styles.steps} start={SHOWN + 1} style={{ counterReset: `step ${SHOWN}` }}>
            {rest.map((step) => (
              <Line key={step.text} step={step} source={source} />
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function Line({ step, source }: { step: Step; source: AdvisoryDetailData['source'] }) {
  const t = useT('advisory')
  return (
    <li>
      <span lang={step.language} dir="auto">
        {step.text}
      </span>{' '}
      {source && (
        <span className={styles.mark} title={source.name}>
          <span className="visually-hidden">{t('source')}: </span>
          <bdi>{source.mark}</bdi>
        </span>
      )}
    </li>
  )
}

/** Only while a roll call asks this reader about the country. */
function RollCall({ detail: { rollCallId } }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  if (!rollCallId) return null
  const answer = (value: string) => `/dashboard/roll-calls/${rollCallId}?answer=${value}`
  return (
    <div className={styles.rollCall}>
      <p>{t('roll_call')}</p>
      <ButtonLink to={answer('safe')} look="primary">
        {t('i_am_safe')}
      </ButtonLink>
      <ButtonLink to={answer('need_help')} look="danger">
        {t('i_need_help')}
      </ButtonLink>
    </div>
  )
}
