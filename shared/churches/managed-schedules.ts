import * as z from 'zod'
import { ById, Deleted } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { ScheduleEntry } from './entry.ts'
import { line, manages } from './managed.ts'
import { SERVICE_TYPES } from './schedule.ts'

export const ManagedSchedule = z.object({
  id: z.uuid(),
  day_of_week: z.int().nullable(),
  recurrence: line,
  starts_on: line,
  ends_on: line,
  start_time: z.string(),
  end_time: line,
  service_type: z.enum(SERVICE_TYPES),
  title: line,
  language: line,
  is_online: z.boolean(),
  online_url: line,
  note: line,
  position: z.int(),
})
export type ManagedSchedule = z.infer<typeof ManagedSchedule>

const ScheduleId = z.strictObject({ id: z.uuid(), schedule: z.uuid() })

export const listSchedules = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/{id}/schedules',
  summary: 'Services of a locale, in order',
  params: ById,
  response: z.object({ schedules: z.array(ManagedSchedule) }),
})

export const createSchedule = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/schedules',
  status: 201,
  summary: 'Adds a service: weekly on a day, or by a rule',
  params: ById,
  body: ScheduleEntry,
  response: z.object({ schedule: ManagedSchedule }),
})

export const updateSchedule = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}/schedules/{schedule}',
  summary: 'Replaces a service',
  params: ScheduleId,
  body: ScheduleEntry,
  response: z.object({ schedule: ManagedSchedule }),
})

export const deleteSchedule = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}/schedules/{schedule}',
  summary: 'Removes a service',
  params: ScheduleId,
  response: Deleted,
})
