import { randomUUID } from 'node:crypto'
import { DAYS, type ServiceSchedule } from '#shared/churches/schedule.ts'

/** A service at 10:00 on Sundays; pass only what the test is about. */
export function schedule(values: Partial<ServiceSchedule> = {}): ServiceSchedule {
  const day_of_week = values.recurrence ? null : (values.day_of_week ?? 0)
  return {
    id: randomUUID(),
    day: day_of_week === null ? null : DAYS[day_of_week]!,
    recurrence: null,
    starts_on: null,
    ends_on: null,
    time: '10:00',
    end_time: null,
    service_type: 'worship_service',
    title: null,
    language: null,
    is_online: false,
    online_url: null,
    note: null,
    ...values,
    day_of_week,
  }
}
