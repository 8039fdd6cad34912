import { Form, useNavigation, useSearchParams } from 'react-router'
import { acceptLevelsOfSource } from '#shared/advisories/admin.ts'
import {
  type FeedRun,
  getManagedSource,
  type ManagedSource,
  removeSource,
  updateSource,
} from '#shared/advisories/admin-sources.ts'
import { fetchFeeds } from '#shared/advisories/endpoints.ts'
import { decideWithheldNews, listWithheldNews, type WithheldDecision } from '#shared/notifications/withheld-news.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { api, type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { nameIn } from '../reader.server.ts'
import { SourceState } from '../SourceState.tsx'
import type { Route } from './+types/SourceAdminPage'
import { AcceptLevels } from './AcceptLevels.tsx'
import { MANAGE, sourcePath } from './paths.ts'
import { RemoveSource } from './RemoveSource.tsx'
import { RunResult } from './RunResult.tsx'
import styles from './SourceAdminPage.module.css'
import { WithheldNews } from './WithheldNews.tsx'

export const handle = { ns: ['manage', 'forms'] } satisfies RouteHandle
export { whenChanged as shouldRevalidate } from './revalidation.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  const [found, { news }] = await Promise.all([
    api(context)(getManagedSource, { params: { source: params.source } }),
    api(context)(listWithheldNews, { params: { source: params.source } }),
  ])
  const name = sourceName(found.source, nameIn(visitorOf(context).language))
  return { ...found, news, title: name, source: { ...found.source, name } }
}

export const action = formAction({
  fetch: async (call, { params, flash }) => {
    const { source = '' } = params
    const { runs } = await call(fetchFeeds, { body: { source } })
    return flash(sourcePath(source), runs[0]?.status === 'skipped' ? 'skipped' : 'fetched')
  },
  release_news: decideNews('released'),
  drop_news: decideNews('dropped'),
  accept_levels: async (call, { params, text, flash }) => {
    const { source = '' } = params
    await call(acceptLevelsOfSource, { params: { source }, body: { count: Number(text('count')) } })
    return flash(sourcePath(source), 'level_accepted')
  },
  remove: async (call, { params, text, flash }) => {
    const { source = '' } = params
    await call(removeSource, {
      params: { source },
      body: { in_force: Number(text('in_force')), reason: text('reason') },
    })
    return flash(`${MANAGE}/sources`, 'removed_source')
  },
  save: async (call, { params, form, text, flash }) => {
    const { source = '' } = params
    const body = {
      made_from: text('made_from'),
      is_enabled: text('is_enabled') === 'on',
      ...(form.has('asks_notify') ? { auto_notify: text('auto_notify') === 'on' } : {}),
      interval_seconds: Math.round(Number(text('interval') || Number.NaN) * 60),
      minimum_items: Number(text('minimum_items') || Number.NaN),
    }
    await call(updateSource, { params: { source }, body })
    return flash(sourcePath(source), 'saved')
  },
})

function decideNews(decision: WithheldDecision) {
  return async (call: CallEndpoint, { params, all, flash }: Submission) => {
    const { source = '' } = params
    await call(decideWithheldNews, { params: { source }, body: { ids: all('ids'), decision } })
    return flash(sourcePath(source), decision === 'released' ? 'news_released' : 'news_dropped')
  }
}

export default function SourceAdminPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const { source, runs, refused, unresolved } = loaderData
  const { state, formData } = useNavigation()
  const isFetched = source.reader !== 'manual' && !source.retired_at
  const error = actionData?.error
  const [params] = useSearchParams()
  const isRemoving = params.get('action') === 'remove' || actionData?.intent === 'remove'
  return (
    <AdminPage
      title={<bdi>{source.name}</bdi>}
      end={
        isFetched && (
          <Form method="post" className={styles.actions}>
            <ButtonLink to={`${sourcePath(source.id)}/edit`}>{t('source_edit')}</ButtonLink>
            <Button
              type="submit"
              name="intent"
              value="fetch"
              look="primary"
              icon="refresh"
              isBusy={state !== 'idle' && formData?.get('intent') === 'fetch'}
              busyLabel={t('fetching')}
            >
              {t('fetch_now')}
            </Button>
          </Form>
        )
      }
    >
      <BackLink to={`${MANAGE}/sources`}>{t('back_to_sources')}</BackLink>
      <FlashMessage namespace="manage" kinds={{ skipped: 'unknown' }} />
      {isRemoving && !source.retired_at && <RemoveSource source={source} error={error} />}
      {error && !isRemoving && <Note kind="error" isLive title={translateMessage(forms, error.error)} />}
      <p className={styles.state}>
        <bdi>{source.organization}</bdi> · <SourceState source={source} />
        {source.error && (
          <>
            {' '}
            · <bdi lang="en">{source.error}</bdi>
          </>
        )}
      </p>
      <AcceptLevels source={source} />
      <WithheldNews news={loaderData.news} />
      {source.retired_at ? (
        <Note heading="h2" title={t('source_removed')}>
          <p>{t('source_removed_text')}</p>
        </Note>
      ) : (
        <Settings
          key={source.made_from}
          source={source}
          error={isRemoving ? undefined : error}
          values={isRemoving ? undefined : actionData?.values}
        />
      )}
      {isFetched && <Runs runs={runs} />}
      {refused.length > 0 && (
        <AdminPanel id="refusals" title={t('refused_title')}>
          <Pairs pairs={refused.map(({ item, reason }) => [item, reason])} labels={[t('entry'), t('reason')]} />
        </AdminPanel>
      )}
      {unresolved.length > 0 && (
        <AdminPanel
          id="unresolved"
          title={t('unresolved_title')}
          end={
            <ButtonLink isSmall to={`${MANAGE}/names`}>
              {t('tab_names')}
            </ButtonLink>
          }
        >
          <Pairs pairs={unresolved.map(({ item, name }) => [item, name])} labels={[t('entry'), t('name')]} />
        </AdminPanel>
      )}
    </AdminPage>
  )
}

interface SettingsProps {
  source: ManagedSource
  error: FormError | undefined
  values: Record<string, string> | undefined
}

function Settings({ source, error: formError, values }: SettingsProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const isFetched = source.reader !== 'manual'
  const error = (name: string) => formError?.fields[name] && translateMessage(forms, formError.fields[name])
  const isOn = values ? values.is_enabled === 'on' : source.is_enabled
  const isAnnounced = values ? values.auto_notify === 'on' : source.auto_notify
  return (
    <AdminPanel id="settings" title={t('source_settings')}>
      <Form method="post" className={styles.form}>
        <input type="hidden" name="made_from" value={source.made_from} />
        <label className={styles.check}>
          <input type="checkbox" name="is_enabled" defaultChecked={isOn} /> {t('is_enabled')}
        </label>
        {isFetched ? (
          <>
            <div>
              <input type="hidden" name="asks_notify" value="1" />
              <label className={styles.check}>
                <input type="checkbox" name="auto_notify" defaultChecked={isAnnounced} aria-describedby="notify-hint" />{' '}
                {t('source_notify')}
              </label>
              <p id="notify-hint" className={styles.none}>
                {t('source_notify_hint')}
              </p>
            </div>
            <TextField
              label={t('interval_minutes')}
              name="interval"
              type="number"
              min={1}
              max={1440}
              step="any"
              required
              defaultValue={values?.interval ?? source.interval_seconds / 60}
              error={error('interval_seconds')}
            />
            <TextField
              label={t('minimum_items')}
              hint={t('minimum_hint')}
              name="minimum_items"
              type="number"
              min={0}
              max={100_000}
              required
              defaultValue={values?.minimum_items ?? source.minimum_items}
              error={error('minimum_items')}
            />
          </>
        ) : (
          <>
            <input type="hidden" name="interval" value={source.interval_seconds / 60} />
            <input type="hidden" name="minimum_items" value={source.minimum_items} />
          </>
        )}
        <div>
          <Buttons>
            <Button type="submit" name="intent" value="save">
              {t('save')}
            </Button>
            <ButtonLink look="link" to="?action=remove">
              {t('source_remove')}
            </ButtonLink>
          </Buttons>
        </div>
      </Form>
    </AdminPanel>
  )
}

function Runs({ runs }: { runs: readonly FeedRun[] }) {
  const t = useT('manage')
  return (
    <AdminPanel id="runs" title={t('runs_title')}>
      {runs.length === 0 ? (
        <p className={styles.none}>{t('runs_empty')}</p>
      ) : (
        <ul className={styles.runs}>
          {runs.map((feedRun) => (
            <li key={feedRun.id}>
              <span className={styles.when}>
                <Time value={feedRun.started_at} /> · {t(`cause_${feedRun.cause}`)}
              </span>
              <span>
                <RunResult run={feedRun} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </AdminPanel>
  )
}

const PAIRS_SHOWN = 100

function Pairs({ pairs, labels }: { pairs: [string, string][]; labels: [string, string] }) {
  const t = useT('manage')
  return (
    <div className={styles.pairs}>
      <table>
        <thead>
          <tr>
            {labels.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, PAIRS_SHOWN).map(([item, about], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries may repeat, and the list never changes
            <tr key={index}>
              <td dir="auto">{item}</td>
              <td dir="auto">{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {pairs.length > PAIRS_SHOWN && <p>{t('more_pairs', { n: pairs.length - PAIRS_SHOWN })}</p>}
    </div>
  )
}
