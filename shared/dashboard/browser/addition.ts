import { createContext, type ReactElement, useContext } from 'react';
import type { IconName } from '../../core/look/icons.ts';
import type { DomainResource } from '../../schema/domain.ts';
import type { LabView } from './navigation.ts';
import type { Shortcut } from './shortcuts.ts';

/** A view with an entry in the navigation. */
export interface ShownView {
  title: string;
  icon: IconName;
  Content: () => ReactElement | null;
  /** True if the view needs a sign-in, so that the emulator does not have it. */
  needsAccount?: boolean;
}

/** The emulator's additions to the dashboard. The script of the service does not contain these parts. */
export interface Addition {
  views: Readonly<Record<LabView, ShownView>>;
  /** Renders a tool in the bar of every view. */
  Tool: () => ReactElement;
  /** Further keys, for the help. */
  shortcuts: readonly Shortcut[];
  /** Renders a part below the head of a domain's page. */
  OfDomain: (input: { of: DomainResource }) => ReactElement | null;
  /** Renders a part above the body of an event's page. */
  OfEvent: (input: { id: string }) => ReactElement | null;
}

export const AdditionContext = createContext<Addition | null>(null);

export function useAddition(): Addition | null {
  return useContext(AdditionContext);
}
