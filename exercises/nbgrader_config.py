"""For a teacher who uses this folder as nbgrader's course directory: a learner's copy of a cell is simply a cell more."""

from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, DeduplicateIds, OverwriteCells, OverwriteKernelspec


class ForgetCopies(DeduplicateIds):
    """Takes nbgrader's marks off all but the last of several copies of a cell.

    What nbgrader 0.9.6 leaves of these marks makes it refuse the whole notebook afterwards, with a message about
    something else.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        """Return the cell, without any marks if nbgrader has emptied them."""
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.metadata.get("nbgrader") == {}:
            del cell.metadata["nbgrader"]
        return cell, resources


c = get_config()  # noqa: F821
# a check ends after a minute with a sentence of its own; nbgrader would end the cell before, without one
c.Execute.timeout = 90
# without the state of tables, feedback shows them as pictures; with it, it would ask another host for what draws them
c.Execute.store_widget_state = False
c.Autograde.sanitize_preprocessors = [ClearOutput, ForgetCopies, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
