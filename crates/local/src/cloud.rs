//! What is done once for a house in the cloud, from a machine with the rights to do it: its first admin, its starting catalogue.

use anyhow::Result;
use waraq_aws::{Cloud, Conditions, Settings, create_bucket, create_table};
use waraq_core::accounts::{Address, Role, add_admin};

use crate::{admin, starting_catalogue};

/// The stores the environment names: what a function is told, see `docs/deploying.md`.
pub async fn of_environment() -> Result<Cloud> {
    let cloud = Cloud::new(Settings::from_environment()?, Conditions::default())?;
    cloud.ready().await?;
    Ok(cloud)
}

/// How somebody became an admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MadeAdmin {
    /// By a new account with this password.
    New(String),
    /// By the account that he had: with its password.
    Promoted,
}

/// Makes whoever has this address an admin: with a new account, or with the one he has.
pub async fn make_admin(cloud: &Cloud, email: &str) -> Result<MadeAdmin> {
    let address = Address::parse(email)?;
    if let Some(id) = cloud.accounts().holders(&address).await?.owner {
        cloud.registrar()?.set_own_role(&id, Role::Admin).await?;
        return Ok(MadeAdmin::Promoted);
    }
    let password = admin::new_password(cloud);
    add_admin(cloud.accounts(), cloud.identity(), cloud.clock(), cloud.chance(), (email, &password)).await?;
    Ok(MadeAdmin::New(password))
}

/// Publishes the templates of the starting catalogue that are not there yet; how many.
pub async fn publish_catalogue(cloud: &Cloud) -> Result<usize> {
    starting_catalogue::load(cloud).await
}

/// Makes table and bucket where they are not there, as an emulator of AWS has none: their names.
pub async fn make_stores(cloud: &Cloud) -> Result<String> {
    create_table(cloud.dynamodb(), cloud.table_name()).await?;
    create_bucket(cloud.s3(), cloud.bucket_name(), cloud.region()).await?;
    Ok(format!("{}, {}", cloud.table_name(), cloud.bucket_name()))
}
