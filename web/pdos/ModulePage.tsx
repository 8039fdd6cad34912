import { data } from 'react-router'
import { MODULE_STATUSES, modules, SEMINAR_MINUTES } from '#shared/pdos/modules.ts'
import { mayPass } from '#shared/roles.ts'
import { bodyFrom, formAction } from '#web/lib/form-action.server.ts'
import { formValuesOf } from '#web/lib/form-result.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextAreaField, TextField } from '#web/ui/Field.tsx'
import { FormPage } from '#web/ui/FormPage.tsx'
import type { Route } from './+types/ModulePage'

const MODULES = '/admin/pdos-modules'

export const handle = { ns: ['pdos', 'forms'] } satisfies RouteHandle
export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const mayManage = mayPass('managePdosModules', visitorOf(context).user?.role ?? null)
  if (!id) return { module: null, mayManage }
  if (!isId(id)) throw data(null, { status: 404 })
  const { module } = await api(context)(modules.get, { params: { id } })
  return { module, mayManage, title: module[`title_${visitorOf(context).language}`] }
}

export const action = formAction({
  save: async (call, { id, form, flash }) => {
    if (!id) {
      const { module } = await call(modules.create, { body: bodyFrom(modules.create.body, form) })
      return flash(`${MODULES}/${module.id}`, 'created')
    }
    await call(modules.update, { params: { id }, body: bodyFrom(modules.update.body, form) })
    return flash(`${MODULES}/${id}`, 'saved')
  },
  delete: async (call, { id, text }) => {
    await call(modules.remove, { params: { id }, body: { made_from: text('made_from') } })
    return `${MODULES}?done=deleted`
  },
})

const NEW = { status: 'draft', is_required: 'on', position: '0' }

/** Creates, edits and deletes a module; coordinators see it. */
export default function ModulePage({ loaderData: { module, mayManage }, actionData }: Route.ComponentProps) {
  const t = useT('pdos')
  const language = useLanguage()
  const name = module?.[`title_${language}`]
  return (
    <FormPage
      title={name ?? t('new_module')}
      back={{ to: MODULES, label: t('modules') }}
      namespace="pdos"
      values={module ? formValuesOf(module) : NEW}
      result={actionData}
      version={module?.updated_at}
      deletion={module && { label: t('delete'), title: t('delete_title'), text: t('delete_text') }}
      isReadOnly={!mayManage}
    >
      {(field, values) => (
        <>
          <TextField label={t('title_en')} lang="en" dir="ltr" maxLength={200} required {...field('title_en')} />
          <TextField label={t('title_ar')} lang="ar" dir="rtl" maxLength={200} required {...field('title_ar')} />
          <TextAreaField label={t('description_en')} lang="en" dir="ltr" rows={4} {...field('description_en')} />
          <TextAreaField label={t('description_ar')} lang="ar" dir="rtl" rows={4} {...field('description_ar')} />
          <TextField
            label={t('code')}
            hint={t('code_hint')}
            dir="ltr"
            maxLength={20}
            autoComplete="off"
            required
            {...field('code')}
          />
          <TextField
            label={t('duration_minutes')}
            type="number"
            min={1}
            max={SEMINAR_MINUTES}
            required
            {...field('duration_minutes')}
          />
          <TextField label={t('position')} hint={t('position_hint')} type="number" min={0} {...field('position')} />
          <TextField
            label={t('effective_from')}
            hint={t('effective_from_hint')}
            type="date"
            {...field('effective_from')}
          />
          <SelectField label={t('status')} hint={t('status_hint')} {...field('status')}>
            {MODULE_STATUSES.map((status) => (
              <option key={status} value={status}>
                {t(`status_${status}`)}
              </option>
            ))}
          </SelectField>
          <TextAreaField
            label={t('material_links')}
            hint={t('material_links_hint')}
            dir="ltr"
            rows={3}
            {...field('material_links')}
          />
          <CheckField label={t('is_required')} name="is_required" defaultChecked={values.is_required === 'on'} />
        </>
      )}
    </FormPage>
  )
}
