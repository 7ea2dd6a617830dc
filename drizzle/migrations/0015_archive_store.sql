CREATE TABLE `object_deletions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_name` text NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `jobs` ADD `object_name` text;
--> statement-breakpoint
CREATE TRIGGER `delete_replaced_object` AFTER UPDATE OF `object_name` ON `jobs` WHEN OLD.`object_name` IS NOT NULL AND NEW.`object_name` IS NOT OLD.`object_name` BEGIN
	INSERT INTO `object_deletions` (`object_name`) VALUES (OLD.`object_name`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_object_of_swept_job` AFTER UPDATE OF `swept_at` ON `jobs` WHEN OLD.`swept_at` IS NULL AND NEW.`swept_at` IS NOT NULL AND NEW.`object_name` IS NOT NULL BEGIN
	INSERT INTO `object_deletions` (`object_name`) VALUES (NEW.`object_name`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_object_of_deleted_job` AFTER DELETE ON `jobs` WHEN OLD.`swept_at` IS NULL AND OLD.`object_name` IS NOT NULL BEGIN
	INSERT INTO `object_deletions` (`object_name`) VALUES (OLD.`object_name`);
END;