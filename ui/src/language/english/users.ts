import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const usersCopy = catalogue('usersCopy', {
  title: 'Users',
  lead: 'Each user has their own archives, API keys and plan.',
  allUsers: 'All users',
  noUsers: 'No users yet',
  noUsersText: 'Add one above.',
  removed: (name: string) => `${name} removed`,

  form: {
    title: 'New user',
    name: 'Name',
    plan: 'Plan',
    add: 'Add user',
    adding: 'Adding…',
  },

  row: {
    you: 'You',
    plan: (plan: string) => `${plan} plan`,
    thisMonth: (gbDays: string) => `${gbDays} this month`,
    running: (count: string) => `${count} running`,
    waiting: (count: string) => `${count} waiting`,
    actions: (name: string) => `Actions for ${name}`,
    newLink: 'New sign-in link',
    moveTo: (plan: string) => `Move to the ${plan} plan`,
    moved: (name: string, plan: string) => `${name} is on the ${plan} plan`,
    remove: 'Remove',
  },

  link: {
    title: (name: string) => `Sign-in link for ${name}`,
    creating: 'Creating the link…',
    lead: 'Send this link to them. It works once, until {time}.',
  },

  removing: {
    title: (name: string) => `Remove ${name}?`,
    action: 'Remove user',
    busy: 'Removing…',
    withoutArchives: 'Their API keys are deleted, and their browsers are signed out. This can’t be undone.',
    withArchives: (count: number) =>
      plural(count, {
        one: 'Their API keys and # archive are deleted, and their browsers are signed out. This can’t be undone.',
        other:
          'Their API keys and # archives are deleted, and their browsers are signed out. This can’t be undone.',
      }),
  },
})
