import { createContext, type ReactElement, useContext } from 'react';
import type { IconName } from '../../connect/panels/icons.tsx';
import type { DomainResource } from '../../schema/domain.ts';
import type { LabView } from './navigation.ts';

/** A view that the navigation lists. */
export interface ShownView {
  title: string;
  icon: IconName;
  Content: () => ReactElement | null;
  /** True if the view needs sign-in, and the emulator does not have it. */
  needsAccount?: boolean;
}

/** The emulator's additions to the dashboard. The service adds nothing, and its script does not contain these parts. */
export interface Addition {
  views: Readonly<Record<LabView, ShownView>>;
  /** A bar above every view. */
  Bar: () => ReactElement;
  /** The part below the head of a domain's page. */
  OfDomain: (input: { of: DomainResource }) => ReactElement | null;
  /** The part above the body of an event's page. */
  OfEvent: (input: { id: string }) => ReactElement | null;
}

export const AdditionContext = createContext<Addition | null>(null);

export function useAddition(): Addition | null {
  return useContext(AdditionContext);
}
