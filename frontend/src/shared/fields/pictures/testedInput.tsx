import { MantineProvider } from '@mantine/core';
import { act, type ComponentType } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

import { loadTexts, startI18n } from '@/shared/i18n/i18n';

import type { PictureValue } from './pictureValue';

interface TestedInputProps {
  field: string;
  label: string;
  value: PictureValue | undefined;
  onChange: (value: PictureValue | undefined) => void;
}

/** A form of tests with one picture or signature input. It stores the value of the input. */
export class TestForm {
  value: PictureValue | undefined;
  container = document.createElement('div');
  #root: Root | undefined;

  constructor(
    private readonly Input: ComponentType<TestedInputProps>,
    private readonly field: string,
    private readonly label: string,
  ) {
    beforeAll(async () => {
      await startI18n('en');
      await loadTexts('pictures');
    });
    beforeEach(() => {
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    });
    afterEach(async () => {
      await act(async () => this.#root?.unmount());
      this.container.remove();
    });
  }

  /** Shows the form with a value. */
  async show(initial?: PictureValue): Promise<void> {
    this.container = document.body.appendChild(document.createElement('div'));
    this.#root = createRoot(this.container);
    await this.setValue(initial);
  }

  /** Replaces the value from outside, as *Clear all* does. */
  async setValue(value: PictureValue | undefined): Promise<void> {
    this.value = value;
    await act(async () => this.#render());
  }

  findButton(text: string): HTMLButtonElement | undefined {
    return [...this.container.querySelectorAll('button')].find((one) => one.textContent === text);
  }

  async press(text: string): Promise<void> {
    await act(async () => this.findButton(text)?.click());
  }

  #render(): void {
    const { Input } = this;
    this.#root?.render(
      <MantineProvider>
        <Input
          field={this.field}
          label={this.label}
          value={this.value}
          onChange={(next) => {
            this.value = next;
            this.#render();
          }}
        />
      </MantineProvider>,
    );
  }
}
