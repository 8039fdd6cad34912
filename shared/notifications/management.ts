import * as z from 'zod'
import { endpoint } from '../contract.ts'

export const getSystemStats = endpoint({
  method: 'GET',
  path: '/admin-operations/notification-system-stats',
  access: 'manageNotifications',
  summary: 'How much the portal tells, and how much of it arrives',
  response: z.object({
    totalNotifications: z.int().describe('In the portal and by all other ways'),
    sentToday: z.int().describe('Since midnight on the clock of the portal'),
    pendingNotifications: z.int().describe('Waiting, planned or on the way'),
    failedDeliveries: z.int(),
    deliveryRate: z.number().describe('Of what is over: how many of a hundred did not fail'),
  }),
})
