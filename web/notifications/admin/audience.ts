import type { Role } from '#shared/roles.ts'
import { linesOf } from '#web/compose/message.ts'
import type { Pick } from '#web/compose/PickField.tsx'
import type { Translate } from '#web/lib/i18n.tsx'
import type { FormValues } from './values.ts'

export interface AudienceChoices {
  roles: readonly Role[]
  countries: readonly { code: string; name: string }[]
  chapters: readonly { id: string; chapter_name: string }[]
}

interface Texts {
  compose: Translate<'compose'>
  admin: Translate<'admin'>
}

/** Everything that an audience can be chosen from, as the user reads it. */
export function audienceOptions({ roles, countries, chapters }: AudienceChoices, { compose, admin }: Texts): Pick[] {
  return [
    ...countries.map(({ code, name }) => ({ name: 'countries', value: code, label: name })),
    ...chapters.map(({ id, chapter_name }) => ({
      name: 'chapters',
      value: id,
      label: compose('pick_chapter', { name: chapter_name }),
    })),
    ...roles.map((role) => ({
      name: 'roles',
      value: role,
      label: compose('pick_role', { name: admin(`role_${role}`) }),
    })),
  ]
}

/** The entries of the form. What is not among the options stays as it is, so that its error names it. */
export function chosenIn(values: FormValues, options: readonly Pick[]): Pick[] {
  const lists = ['countries', 'chapters', 'roles'].flatMap((name) =>
    (values[name] ?? []).map(
      (value) =>
        options.find((option) => option.name === name && option.value === value) ?? { name, value, label: value },
    ),
  )
  const named = (values.found ?? []).map((line) => ({ name: 'found', value: line, label: nameIn(line) }))
  return [...lists, ...named]
}

const nameIn = (line: string) => /^(.+) <[^<>]+>$/.exec(line)?.[1] ?? line

export const hasAudience = (values: FormValues) =>
  ['countries', 'chapters', 'roles', 'found'].some((name) => (values[name] ?? []).length > 0) ||
  linesOf(values.people?.[0]).length > 0
